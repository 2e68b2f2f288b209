// SPDX-License-Identifier: MIT
/*
 * Finding and filtering. Without a script the page is whole, too: then there
 * are no forms, and nothing is hidden.
 */
"use strict";
(function () {
	const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
	const one = (id) => document.getElementById(id);

	/*
	 * What an item can be found by: its words, and the names of what it links to; but a metric
	 * not by the cases that move it, which are nearly all.
	 */
	const words = (element) => {
		const aside = element.querySelector(".aside");
		const text = aside ? element.textContent.replace(aside.textContent, "") : element.textContent;
		const links = all("a[href^='#']", element).filter((link) => !link.closest(".aside"));

		return (text + links.map((link) => link.hash).join(" ")).toLowerCase();
	};

	const items = all("[data-item]").map((element) => ({
		element,
		kind: element.dataset.item,
		text: words(element),
	}));
	const names = {
		row: ["row", "rows"],
		sentence: ["sentence", "sentences"],
		tool: ["tool", "tools"],
		reader: ["metric that tools show", "metrics that tools show"],
		word: ["word", "words"],
		metric: ["metric", "metrics"],
		case: ["case", "cases"],
	};

	const count = (n, kind) => n + " " + names[kind][n === 1 ? 0 : 1];

	/* ---- what is asked for ---- */

	const wanted = () => one("words").value.toLowerCase().split(/\s+/).filter(Boolean);
	const chosen = () => all("input[name=kernel]").map((box) => box.checked);

	/* Of how many chosen kernels a cell is. */
	const span = (cell, kernels) => {
		const from = Number(cell.dataset.from);

		return kernels.slice(from, from + Number(cell.dataset.span)).filter(Boolean).length;
	};

	/* How many values the chosen kernels have in a row; one that did not run has none. */
	const values = (row, kernels) => new Set(all("[data-from]", row)
		.filter((cell) => cell.dataset.value !== "0" && span(cell, kernels))
		.map((cell) => cell.dataset.value)).size;

	const passes = (item, asked, kernels) => {
		if (!asked.every((word) => item.text.includes(word)))
			return false;
		if (item.kind === "row" && one("differs").checked)
			return values(item.element, kernels) > 1;
		if (item.kind === "sentence" && one("false-only").checked)
			return item.element.dataset.now === "false";
		return true;
	};

	/* ---- showing it ---- */

	const columns = (kernels) => {
		for (const cell of all(".kernels [data-from]")) {
			const width = span(cell, kernels);

			cell.hidden = !width;
			if (width)
				cell.colSpan = width;
		}
		for (const table of all(".kernels"))
			table.style.setProperty("--columns", kernels.filter(Boolean).length);
	};

	/* A table without rows, a heading without anything below it. */
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

	/* ---- a link within the page leads to what is open and not hidden ---- */

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
		form.addEventListener("input", filter);
	}
	one("all-kernels").addEventListener("click", check(true));
	one("no-kernels").addEventListener("click", check(false));
	window.addEventListener("hashchange", arrive);
	filter();
	if (location.hash)
		arrive();
})();
