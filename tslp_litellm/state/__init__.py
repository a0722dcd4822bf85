"""What is true, as values: entities, events and their fold. Pure: no clock, no ids, no I/O."""
