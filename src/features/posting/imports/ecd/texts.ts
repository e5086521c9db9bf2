import iconv from 'iconv-lite';

/**
 * A text of a file as the books keep it. Files say ISO-8859-1 and many are Windows-1252: what would be a control character
 * there is a dash or a quote here. Other control characters become blanks.
 */
export function plainText(text: string): string {
  if (!NEEDS_CARE.test(text)) return text.trim();
  return text.replace(OF_WINDOWS, ofWindows).replace(CONTROLS, ' ').toWellFormed().normalize('NFC').trim();
}

const NEEDS_CARE = /[^\u0020-\u007e\u00a0-\u00ff]/;
const OF_WINDOWS = /[\u0080-\u009f]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/g;

function ofWindows(character: string): string {
  return iconv.decode(Buffer.from([character.charCodeAt(0)]), 'windows-1252');
}
