"""Agents that read and write words: `talk` programs, and language models by their address (`chat`)."""
