// The address of every position: `#deal2-trick5` is the lead to a trick, `#deal2-trick5.3` the third card in it.

export function addresses(decisions) {
  const counts = {}, places = new Map();
  const names = decisions.map(({ deal, trick, phase }, place) => {
    const group = `deal${deal}-${trick ? `trick${trick}` : phase}`, nth = (counts[group] = (counts[group] ?? 0) + 1);
    if (!places.has(`deal${deal}`)) places.set(`deal${deal}`, place);
    return nth === 1 ? group : `${group}.${nth}`;
  });
  [...names, "end"].forEach((name, place) => places.set(name, place));
  return { names: [...names, "end"], places };
}
