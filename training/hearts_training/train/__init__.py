"""Training: PPO by self-play, what a run keeps and how it goes on, and tuning of the rule agent."""
