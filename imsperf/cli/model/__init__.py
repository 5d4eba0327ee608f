"""Commands of the model: scenarios, dumps of them, predictions."""
