// SPDX-License-Identifier: MIT
/*
 * Searching and filtering. Without a script the page is complete: it has no forms, and nothing is
 * hidden.
 */
"use strict";
(function () {
	const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
	const one = (id) => document.getElementById(id);

	/*
	 * The text in which the search looks: the item's own words and the targets of its links.
	 * For a metric, the list of cases is left out, because nearly all cases change it.
	 */
	const textOf = (element) => {
		const aside = element.querySelector(".aside");
		const text = aside ? element.textContent.replace(aside.textContent, "") : element.textContent;
		const links = all("a[href^='#']", element).filter((link) => !link.closest(".aside"));

		return (text + links.map((link) => link.hash).join(" ")).toLowerCase();
	};

	/* The kind of items in each section. */
	const kindIn = { kernels: "row", documents: "sentence", history: "bug", tools: "reader",
		glossary: "word", metrics: "metric", cases: "case" };

	const items = Object.keys(kindIn).flatMap((id) =>
		all("#" + id + " :is(tbody tr, .words > div), #" + id + " > details").map((element) => ({
			element,
			kind: (element.dataset.item = kindIn[id]),
			text: textOf(element),
		})));
	const names = {
		row: ["row", "rows"],
		sentence: ["sentence", "sentences"],
		bug: ["bug", "bugs"],
		reader: ["metric that tools show", "metrics that tools show"],
		word: ["word", "words"],
		metric: ["metric", "metrics"],
		case: ["case", "cases"],
	};

	const count = (n, kind) => n + " " + names[kind][n === 1 ? 0 : 1];

	/* ---- the search ---- */

	const wanted = () => one("words").value.toLowerCase().split(/\s+/).filter(Boolean);
	const chosen = () => all("input[name=kernel]").map((box) => box.checked);

	/* The number of chosen kernels that a cell covers. */
	const span = (cell, kernels) => {
		const from = Number(cell.dataset.from);

		return kernels.slice(from, from + Number(cell.dataset.span)).filter(Boolean).length;
	};

	/*
	 * The number of different values that the chosen kernels have in a row. A case that did not
	 * run has no value.
	 */
	const values = (row, kernels) => new Set(all("[data-from]", row)
		.filter((cell) => cell.dataset.value !== "0" && span(cell, kernels))
		.map((cell) => cell.dataset.value)).size;

	/* True if the row is marked as wrong on the kernel. */
	const wrongOn = (row, kernel) => (row.dataset.wrongOn || "").split(" ").includes(kernel);

	const passes = (item, asked, kernels) => {
		if (!asked.every((word) => item.text.includes(word)))
			return false;
		if (item.kind === "row" && one("differs").checked)
			return values(item.element, kernels) > 1;
		if (item.kind === "sentence" && one("false-only").checked)
			return wrongOn(item.element, String(kernelNames.length - 1));
		return true;
	};

	/* ---- the display ---- */

	const kernelNames = all("#kernel option").map((option) => option.textContent);

	/* Makes texts like "6.1.0 to 6.12.43": the chosen kernels that a cell covers. */
	const on = (cell, kernels) => {
		const from = Number(cell.dataset.from);
		const names = kernelNames.filter((name, i) => kernels[i] && i >= from &&
			i < from + Number(cell.dataset.span));

		return names.length < 3 ? names.join(", ") : names[0] + " to " + names[names.length - 1];
	};

	const columns = (kernels) => {
		for (const cell of all(".kernels [data-from]")) {
			const width = span(cell, kernels);

			cell.hidden = !width;
			if (!width)
				continue;
			cell.colSpan = width;
			if (cell.dataset.on)
				cell.dataset.on = on(cell, kernels);
		}
		for (const row of all("[data-kernel]"))
			row.hidden = !kernels[row.dataset.kernel];
		for (const table of all(".kernels"))
			table.style.setProperty("--columns", kernels.filter(Boolean).length);
	};

	/* Hides a table without rows, and a heading without content. */
	const empty = () => {
		for (const table of all("table"))
			if (table.querySelector("[data-item]"))
				table.parentElement.hidden = !table.querySelector("[data-item]:not([hidden])");
		for (const heading of all("h3[data-group]")) {
			let below = heading.nextElementSibling;

			while (below && below.matches("details") && below.hidden)
				below = below.nextElementSibling;
			heading.hidden = !below || !below.matches("details");
		}
	};

	const say = (shown, asked) => {
		const of = (kind) => items.filter((item) => item.kind === kind).length;
		const kinds = Object.keys(names).filter(of);
		const found = kinds.filter((kind) => shown[kind]);

		one("hits").value = !asked.length ? "" : !found.length ? "nothing on this page"
			: found.map((kind) => count(shown[kind], kind)).join(", ");
		one("rows").value = (shown.row || 0) + " of " + count(of("row"), "row");
		one("sentences").value = (shown.sentence || 0) + " of " + count(of("sentence"), "sentence");
	};

	const filter = () => {
		const asked = wanted(), kernels = chosen(), shown = {};

		for (const item of items) {
			const pass = passes(item, asked, kernels);

			item.element.hidden = !pass;
			if (pass)
				shown[item.kind] = (shown[item.kind] || 0) + 1;
		}
		columns(kernels);
		empty();
		say(shown, asked);
	};

	/* ---- opens and shows the target of a link within the page ---- */

	const arrive = () => {
		const target = one(decodeURIComponent(location.hash.slice(1)));
		const item = target && target.closest("[data-item]");

		if (!target)
			return;
		if (item && item.hidden) {
			one("words").value = "";
			filter();
		}
		if (target.matches("details"))
			target.open = true;
		target.scrollIntoView();
	};

	/* ---- the section "Can I believe it?" ---- */

	const words = (n) => n.toLocaleString("en-US");
	const kb = (pages, kernel) => words(pages * kernel.page / 1024) + " kB";
	const datum = (name) => document.querySelector("#numbers option[value='" + name + "']");

	/* A kernel without its own models has the models of the previous kernel. */
	const modelsOf = (option) => option.dataset.models === undefined
		? modelsOf(option.previousElementSibling) : option.dataset.models;

	const kernelOf = (option) => ({
		index: option.value,
		name: option.textContent,
		page: Number(option.dataset.page),
		around: Number(option.dataset.around),
		cpus: Number(option.dataset.cpus),
		models: new Map(modelsOf(option).split(";").filter(Boolean).map((one) => {
			const [name, kind, batch, classes, files] = one.split(" ");

			return [name, { kind, batch: Number(batch), classes: Number(classes),
				files: files === "1" }];
		})),
	});

	/*
	 * Computes the same as model_bound(). For another number of CPUs than the recorded one, the
	 * batch is max(32, 2 x CPUs).
	 */
	const bound = (name, kernel, threads, cpus) => {
		const model = kernel.models.get(name);

		if (!model || model.kind === "exact")
			return 0;
		if (model.kind === "per-thread")
			return threads * model.batch * (model.files ? kernel.around : 1);
		if (model.kind !== "per-cpu")
			return NaN;
		return cpus * model.classes *
			((cpus === kernel.cpus ? model.batch : Math.max(32, 2 * cpus)) - 1);
	};

	const how = (name, kernel, threads, cpus) => {
		const model = kernel.models.get(name), option = datum(name);

		if (option && option.dataset.roughly)
			return "holds nothing back, but: " + option.dataset.roughly;
		if (!model)
			return { walked: "is counted by walking the page tables while it is read",
				address: "counts address space, touched or not",
			}[option && option.dataset.kind] || "holds nothing back";
		if (model.kind === "exact")
			return "is a running total, and every page shows in it at once";
		if (model.kind === "per-thread")
			return "is a running total: each of " + words(threads) + " threads holds back up to " +
				model.batch + " page faults" + (model.files ? ", each of up to " +
				kernel.around + " pages where a file is mapped" : "");
		if (model.kind === "per-cpu")
			return "is a running total: each of " + words(cpus) + " CPUs holds back up to " +
				words(bound(name, kernel, threads, cpus) / cpus) + " pages";
		return "counts in a way that fits no known model";
	};

	/* The known bugs of a kernel in a number, or in its data-twin (a metric with the same value). */
	const bugs = (name, kernel) => all(".bugs [data-wrong-on]").filter((row) => {
		const wrong = row.querySelector("td").textContent.split(/[ ,]+/), twin = datum(name) && datum(name).dataset.twin;

		return wrongOn(row, kernel.index) &&
			(wrong.includes(name) || wrong.includes(twin));
	}).map((row) => row.querySelector("th").textContent);

	const readers = (name) => {
		const found = all("#column option").filter((option) => option.value === name)
			.map((option) => option.textContent);

		return found.length ? " (" + found.slice(0, 4).join(", ") + ")" : "";
	};

	const instead = (name, kernel, threads, cpus) => {
		const option = datum(name);
		const right = (option && option.dataset.instead || "").split(" ").filter(Boolean)
			.find((other) => bound(other, kernel, threads, cpus) === 0);

		return right ? right + readers(right) : option && option.dataset.words || "";
	};

	const headline = (option, parts, off, kernel) => {
		if (option.dataset.gone)
			return "No: it is always 0, the number is gone.";
		if (Number.isNaN(off))
			return "Unknown: it counts in a way that fits no known model.";
		if (off)
			return "Off by at most " + kb(off, kernel) + ", either way.";
		if (parts.some((name) => bugs(name, kernel).length))
			return "Believe it, except for the bugs of this kernel below.";
		if (parts.some((name) => datum(name).dataset.roughly))
			return "Roughly.";
		if (parts.every((name) => datum(name).dataset.kind === "address"))
			return "Believe it, but it is address space, not memory.";
		return "Believe it.";
	};

	const paragraph = (text) => {
		const p = document.createElement("p");

		p.textContent = text;
		return p;
	};

	const answer = () => {
		const kernel = kernelOf(one("kernel").selectedOptions[0]);
		const option = one("column").selectedOptions[0], parts = option.value.split(" ");
		const threads = Math.max(1, Number(one("nr-threads").value) || 1);
		const cpus = Math.max(1, Number(one("nr-cpus").value) || kernel.cpus);
		const off = parts.reduce((sum, name) => sum + bound(name, kernel, threads, cpus), 0);
		const late = parts.find((name) => bound(name, kernel, threads, cpus) !== 0);
		const lines = [headline(option, parts, off, kernel)];

		one("answer").dataset.off = off * kernel.page / 1024;
		one("answer").dataset.counts = (kernel.models.get(late || parts[0]) || { kind: "walked" }).kind;
		if (!option.dataset.gone)
			lines.push(option.textContent + " on " + kernel.name + " shows " + parts.map((name) =>
				name + ", which " + how(name, kernel, threads, cpus)).join("; and ") + ".");
		if (late && instead(late, kernel, threads, cpus))
			lines.push("Read instead: " + instead(late, kernel, threads, cpus) + ".");
		for (const bug of parts.flatMap((name) => bugs(name, kernel)))
			lines.push("Known to be wrong on this kernel: " + bug + ".");
		one("answer").replaceChildren(...lines.map(paragraph));
	};

	/* The five numbers of resident memory on the chosen kernel. */
	const residents = () => {
		const index = Number(one("kernel").value), asked = one("column").value.split(" ");
		let held = 0;

		for (const row of all("[data-number]")) {
			const [counts, says, holds] = row.dataset.of.split(";")[index].split(" ");
			const off = says - holds, bar = row.querySelector(".bar-of");

			held = Number(holds);
			bar.dataset.counts = counts;
			bar.style.width = (held ? 100 * says / held : 0) + "%";
			row.querySelector(".how").textContent = counts;
			row.querySelector(".said").textContent = !held ? "it did not run"
				: words(Number(says)) + " kB" + (off ? ", " + words(Math.abs(off)) + " too " +
				(off < 0 ? "few" : "many") : "");
			row.classList.toggle("asked", asked.includes(row.dataset.number));
		}
		document.querySelector(".kernel-now").textContent = one("kernel").selectedOptions[0].textContent;
		document.querySelector(".held-now").textContent = words(held) + " kB";
	};

	const ask = (event) => {
		if (!event || event.target === one("kernel"))
			one("nr-cpus").value = one("kernel").selectedOptions[0].dataset.cpus;
		answer();
		residents();
	};

	const check = (on) => () => {
		for (const box of all("input[name=kernel]"))
			box.checked = on;
		filter();
	};

	for (const cell of all(".kernels [data-from]"))
		cell.dataset.span = cell.colSpan;
	for (const form of all("form")) {
		form.reset();
		form.hidden = false;
		form.addEventListener("submit", (event) => event.preventDefault());
		form.addEventListener("input", form.matches(".ask") ? ask : filter);
	}
	one("all-kernels").addEventListener("click", check(true));
	one("no-kernels").addEventListener("click", check(false));
	window.addEventListener("hashchange", arrive);
	filter();
	if (one("kernel")) {
		one("answer").hidden = false;
		ask();
	}
	if (location.hash)
		arrive();
})();
