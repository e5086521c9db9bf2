import { fileURLToPath } from 'node:url';
import type PDFKit from 'pdfkit';

const REGULAR = fileURLToPath(new URL('fonts/IBMPlexSansCondensed-Regular.ttf', import.meta.url));
const BOLD = fileURLToPath(new URL('fonts/IBMPlexSansCondensed-SemiBold.ttf', import.meta.url));

/** What pdfkit keeps of an embedded font; its own text calls shape every string anew, which costs eight times more. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: { glyphForCodePoint(codePoint: number): { id: number; advanceWidth: number; codePoints: number[] } };
  readonly subset: { includeGlyph(id: number): number };
  readonly scale: number;
  readonly unicode: number[][];
  readonly widths: number[];
  ref(): unknown;
}

interface Glyph {
  /** Four hex digits of the glyph in the subset. */
  readonly hex: string;
  /** Width in thousandths of the font size. */
  readonly width: number;
}

/** One font of one document: texts to glyph codes and widths, each character looked up once. */
export interface Typeface {
  readonly id: string;
  /** Makes the font known to the current page. */
  use(page: PDFKit.PDFDocument['page']): void;
  width(text: string, size: number): number;
  /** Glyph codes for a Tj operator: hexadecimal only, so that no text can be an operator. */
  encode(text: string): string;
  readonly missing: ReadonlySet<string>;
  /** The font's object, for the resources of a form. */
  reference(): unknown;
}

/** Code points of all letters that Portuguese and its neighbours use. */
const COMMON = 0x250;

/** The fonts of a document; both have figures of one width. */
export type Faces = Readonly<Record<'regular' | 'bold', Typeface>>;

export function openFaces(document: PDFKit.PDFDocument): Faces {
  return { regular: openTypeface(document, REGULAR), bold: openTypeface(document, BOLD) };
}

function openTypeface(document: PDFKit.PDFDocument, path: string): Typeface {
  document.font(path);
  const font = (document as unknown as { _font: EmbeddedFont })._font;
  /** By code point: an array for the common ones is looked up fastest. */
  const common: (Glyph | undefined)[] = new Array(COMMON).fill(undefined);
  const others = new Map<number, Glyph>();
  const missing = new Set<string>();
  const glyphOf = (codePoint: number): Glyph => {
    const known = codePoint < COMMON ? common[codePoint] : others.get(codePoint);
    if (known) return known;
    const glyph = font.font.glyphForCodePoint(codePoint);
    if (glyph.id === 0) missing.add(String.fromCodePoint(codePoint));
    const at = font.subset.includeGlyph(glyph.id);
    font.widths[at] ??= glyph.advanceWidth * font.scale;
    font.unicode[at] ??= glyph.id === 0 ? [codePoint] : glyph.codePoints;
    const made = { hex: at.toString(16).padStart(4, '0'), width: glyph.advanceWidth * font.scale };
    if (codePoint < COMMON) common[codePoint] = made;
    else others.set(codePoint, made);
    return made;
  };
  return {
    id: font.id,
    missing,
    reference: () => font.ref(),
    use(page) {
      (page as unknown as { fonts: Record<string, unknown> }).fonts[font.id] ??= font.ref();
    },
    width(text, size) {
      let width = 0;
      for (let at = 0; at < text.length; at++) {
        const codePoint = text.codePointAt(at)!;
        if (codePoint > 0xffff) at++;
        width += glyphOf(codePoint).width;
      }
      return (width * size) / 1000;
    },
    encode(text) {
      let hex = '';
      for (let at = 0; at < text.length; at++) {
        const codePoint = text.codePointAt(at)!;
        if (codePoint > 0xffff) at++;
        hex += glyphOf(codePoint).hex;
      }
      return hex;
    },
  };
}
