// SPDX-License-Identifier: MIT
/*
 * manual SCHEMA...: prints the manual page of section 5 that describes a JSON format, made from
 * its schema: each member, its type, and its description. A program of its own, run by make.
 */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void put(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\'' || *text == '.')
			printf("\\&%c", *text);
		else
			putchar(*text);
	}
}

static const char *string_of(const json_t *schema, const char *name)
{
	const char *s = json_string_value(json_object_get(schema, name));

	return s ? s : "";
}

static void put_words(const json_t *list)
{
	size_t i;
	json_t *word;

	json_array_foreach(list, i, word)
	{
		fputs(i ? ", \\fB" : "\\fB", stdout);
		put(json_is_string(word) ? json_string_value(word) : "null");
		fputs("\\fP", stdout);
	}
}

/*
 * Prints the type of a value: "string", "integer or null", "one of pass, fail", "always
 * rssck-results/1".
 */
static void put_type(const json_t *schema)
{
	const json_t *type = json_object_get(schema, "type"), *word;
	size_t i;

	if (json_object_get(schema, "const")) {
		fputs("always \\fB", stdout);
		put(string_of(schema, "const"));
		fputs("\\fP", stdout);
	} else if (json_object_get(schema, "enum")) {
		fputs("one of ", stdout);
		put_words(json_object_get(schema, "enum"));
	} else if (json_is_array(type)) {
		json_array_foreach(type, i, word)
			printf("%s%s", i ? " or " : "", json_string_value(word));
	} else {
		fputs(json_is_string(type) ? json_string_value(type) : "of several forms", stdout);
	}
}

static bool is_required(const json_t *schema, const char *name)
{
	const json_t *word;
	size_t i;

	json_array_foreach(json_object_get(schema, "required"), i,
			   word) if (!strcmp(json_string_value(word), name)) return true;
	return false;
}

/* Resolves "$ref": "#/$defs/NAME". */
static const json_t *meant(const json_t *root, const json_t *schema)
{
	const char *ref = string_of(schema, "$ref"), *name = strrchr(ref, '/');
	const json_t *of = name ? json_object_get(json_object_get(root, "$defs"), name + 1) : NULL;

	return of ? of : schema;
}

static void put_members(const json_t *root, const json_t *schema, const char *path);

static void put_inside(const json_t *root, const json_t *schema, const char *path)
{
	static const char *const choices[] = { "oneOf", "anyOf", "allOf" };
	const json_t *any = json_object_get(schema, "additionalProperties");
	char below[512];
	json_t *one;
	size_t i;

	put_members(root, schema, path);
	if (json_is_object(json_object_get(schema, "items"))) {
		snprintf(below, sizeof(below), "%s[]", path);
		put_inside(root, meant(root, json_object_get(schema, "items")), below);
	}
	if (json_is_object(any)) {
		snprintf(below, sizeof(below), "%s.NAME", path);
		put_inside(root, meant(root, any), below);
	}
	for (size_t c = 0; c < sizeof(choices) / sizeof(*choices); c++)
		json_array_foreach(json_object_get(schema, choices[c]), i, one)
			put_inside(root, meant(root, one), path);
}

static void put_members(const json_t *root, const json_t *schema, const char *path)
{
	const char *name;
	json_t *written;

	json_object_foreach(json_object_get(schema, "properties"), name, written)
	{
		const json_t *member = meant(root, written);
		char below[512];

		snprintf(below, sizeof(below), "%s%s%s", path, path[0] ? "." : "", name);
		fputs(".TP\n\\fB", stdout);
		put(below);
		puts("\\fP");
		put_type(member);
		puts(is_required(schema, name) ? "." : "; optional.");
		if (*string_of(member, "description")) {
			put(string_of(member, "description"));
			putchar('\n');
		}
		if (strlen(below) < sizeof(below) / 2)
			put_inside(root, member, below);
	}
}

/* Prints the page of a schema. Its name is rssck-results for "rssck-results-1.schema.json". */
static void put_page(const json_t *root)
{
	char name[64], upper[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(string_of(root, "$id"), "."),
		 string_of(root, "$id"));
	name[strcspn(name, "123456789") - 1] = '\0';
	for (size_t i = 0; i <= strlen(name); i++)
		upper[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
	printf(".\\\" SPDX-License-Identifier: MIT\n.TH %s 5 \"\" \"rssck @VERSION@\" \"File Formats\"\n",
	       upper);
	printf(".SH NAME\n");
	put(name);
	printf(" \\- a JSON format of rssck\n.SH DESCRIPTION\n");
	put(string_of(root, "title"));
	printf("\n"
	       "Within a major version members may be added; none is removed or changed.\n"
	       "All characters outside ASCII are escaped.\n"
	       ".SH MEMBERS\n"
	       "\\fBa.b\\fP is the member b of a, \\fBa[]\\fP each element of the list a, NAME any name.\n");
	put_inside(root, root, "");
	printf(".SH FILES\n.I share/rssck/schema/");
	put(string_of(root, "$id"));
	printf("\n.SH SEE ALSO\n.BR rssck (1)\n");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		json_error_t error;
		json_t *root = json_load_file(argv[i], 0, &error);

		if (!root)
			return fprintf(stderr, "manual: %s: %s\n", argv[i], error.text), 2;
		if (!*string_of(root, "$id"))
			return fprintf(stderr, "manual: %s: no $id\n", argv[i]), 2;
		put_page(root);
		json_decref(root);
	}
	return fflush(stdout) || ferror(stdout) ? 2 : 0;
}
