// SPDX-License-Identifier: MIT
/* Writes the audit of one process as JSON. Sizes are in kB. */
#include "base/print/json.h"
#include "print.h"
#include "scan/process/user.h"

static json_t *rows_json(const struct audit *a, const struct measured *m)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < a->nr_rows; i++) {
		const struct audit_row *row = &a->rows[i];
		json_t *j = json_row(rows);

		json_set_words(j, "counter", row->name);
		json_set_number(j, "says", row->says);
		json_set_number(j, "page_tables", row->tables);
		if (row->id != METRIC_NONE && m->known)
			json_set_words(j, "model", model_kind_name(m->models.of[row->id].kind));
		if (row->bound >= 0)
			json_set_number(j, "bound", row->bound);
		if (row->id != METRIC_NONE)
			json_object_set_new(j, "off", json_boolean(row->off));
	}
	return rows;
}

static json_t *tables_json(const struct values *v)
{
	json_t *j = json_object();

	for (int id = METRIC_ROLLUP_FIRST; id <= METRIC_ROLLUP_LAST; id++)
		if (v->have[id])
			json_set_number(j, metric((enum metric_id)id)->key, v->of[id]);
	json_set_number(j, "Uss", table_uss(v));
	return j;
}

json_t *audit_json(const struct audit *a, const struct reading *p, const struct measured *m)
{
	json_t *j = json_object();
	char user[64];

	json_set_number(j, "pid", p->who.pid);
	json_set_words(j, "verdict", audit_verdict_name(a->verdict));
	json_set_words(j, "sentence", a->sentence);
	if (p->sight != SIGHT_SEEN)
		return j;
	json_set_words(j, "program", p->who.name);
	json_set_words(j, "user", user_name(p->who.uid, user, sizeof(user)));
	json_set_number(j, "threads", p->who.threads);
	if (p->bits)
		json_set_number(j, "bits", p->bits);
	json_set_number(j, "readings", p->nr);
	json_object_set_new(j, "moving", json_boolean(a->verdict == AUDIT_MOVING));
	json_object_set_new(j, "counters", rows_json(a, m));
	json_object_set_new(j, "page_tables", tables_json(&p->tables));
	json_object_set_new(j, "sharing_moving", json_boolean(p->reshared));
	json_object_set_new(j, "sharing_confirmed", json_boolean(p->confirmed));
	if (p->moved || p->reshared) {
		json_object_set_new(j, "lowest", tables_json(&p->low));
		json_object_set_new(j, "highest", tables_json(&p->high));
	}
	return j;
}
