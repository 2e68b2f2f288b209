// SPDX-License-Identifier: MIT
// Arrow keys move from cell to cell, Escape closes an opened cell.
document.addEventListener('keydown', (event) => {
	const cell = document.activeElement.closest && document.activeElement.closest('.grid tbody td');
	const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];

	if (event.key === 'Escape' && location.hash.startsWith('#e')) {
		const from = document.querySelector('.grid a[href="' + location.hash + '"]');

		location.hash = '';
		if (from)
			from.focus();
		return;
	}
	if (!cell || !step)
		return;
	for (let row = cell.parentElement.rowIndex + step[0], column = cell.cellIndex + step[1];; row += step[0], column += step[1]) {
		const line = document.getElementById('grid').rows[row], to = line && line.cells[column];

		if (!to || row < 1 || column < 1)
			return;
		if (to.firstElementChild) {
			event.preventDefault();
			to.firstElementChild.focus();
			return;
		}
	}
});
