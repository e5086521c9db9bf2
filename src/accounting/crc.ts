/**
 * Registration of an accountant as books print it, 'CRC 1SP214567/O-3': the digit of persons, the state of the council,
 * six digits, the kind of registration and its check digit. Older forms (SP-214567/O-3, 214567/O with the state beside
 * it, CRC/SP 1SP214567/O-3) are brought to it as far as they say it; other texts stay as they are.
 */
export function printedCrc(text: string, state: string | undefined): string {
  const typed = text.trim().replace(/^CRC[ :/-]*/i, '');
  const found = REGISTRATION.exec(typed.toUpperCase().replace(/[^A-Z0-9]/g, ''))?.groups;
  const council = found?.state ?? state?.toUpperCase();
  if (found === undefined || council === undefined) return `CRC ${typed}`;
  const { number, kind, digit, transfer } = found;
  const kindAndDigit = `${kind === undefined ? '' : `/${kind}`}${digit === undefined ? '' : `-${digit}`}`;
  const transferred = transfer === undefined ? '' : ` ${transfer[0]}-${transfer.slice(1)}`;
  return `CRC 1${council}${number!.padStart(6, '0')}${kindAndDigit}${transferred}`;
}

/** Without its blanks, dashes and strokes; a state typed twice counts once. */
const REGISTRATION =
  /^(?:[A-Z]{2}(?=1[A-Z]))?(?:1?(?<state>[A-Z]{2}))?(?<number>\d{1,6})(?:(?<kind>[FOPST])(?<digit>\d)?)?(?<transfer>[ST][A-Z]{2})?$/;
