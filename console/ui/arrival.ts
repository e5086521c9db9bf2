// Who has the focus when a screen has been entered: its first table, else main. It moves inside the key handler or the
// first drawing, never a frame later: that would swallow the next key.

/** A screen was entered: the focus leaves what led there. */
export function enterMain(main: HTMLElement): void {
  const active = document.activeElement;
  if (active?.closest('dialog') || main.contains(active)) return;
  main.focus({ preventScroll: true });
}

/** A table has come: it takes the focus where nobody else has it. */
export function arriveAt(element: HTMLElement): void {
  const active = document.activeElement;
  if (active === document.body || active?.id === 'main') element.focus({ preventScroll: true });
}
