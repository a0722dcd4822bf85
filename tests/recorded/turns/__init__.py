"""What a real small model said in the job of `benchmarks.turns`, arm by arm."""
