#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""validate.py SCHEMA FILE...: exits 0 if each document of each file (one on each line, or one in all) matches the
schema and has no member that the schema does not name; 1 if one does not, or if there is no document; 4 if jsonschema is
missing (package python3-jsonschema)."""
import json
import sys

try:
	import jsonschema
except ImportError:
	print("no jsonschema (package python3-jsonschema)")
	sys.exit(4)


def closed(schema):
	"""Returns the schema with all other members forbidden: a member that is printed and not described is our defect."""
	if isinstance(schema, list):
		return [closed(s) for s in schema]
	if not isinstance(schema, dict):
		return schema
	schema = {k: closed(v) for k, v in schema.items()}
	if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
		schema.setdefault("additionalProperties", False)
	return schema


def documents(path):
	with open(path, encoding="utf-8") as f:
		text = f.read()
	decoder, at = json.JSONDecoder(), 0
	while at < len(text):
		document, at = decoder.raw_decode(text, at)
		yield document
		while at < len(text) and text[at].isspace():
			at += 1


with open(sys.argv[1], encoding="utf-8") as f:
	schema = json.load(f)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(closed(schema))
wrong = seen = 0
for path in sys.argv[2:]:
	for document in documents(path):
		seen += 1
		for error in validator.iter_errors(document):
			wrong += 1
			print(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
if not seen:
	print("there is no document: " + " ".join(sys.argv[2:]))
sys.exit(1 if wrong or not seen else 0)
