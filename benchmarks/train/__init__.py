"""What trains the models that are shipped; numpy is needed here and nowhere at run time."""
