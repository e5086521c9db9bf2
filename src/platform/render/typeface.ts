import { fileURLToPath } from 'node:url';
import type PDFKit from 'pdfkit';

/** `rare` has the letters of the Latin script that `main` lacks; it is opened for the first of them. */
const REGULAR = {
  main: fontFile('IBMPlexSansCondensed-Regular.ttf'),
  rare: fontFile('NotoSans-LatinExt-Regular.ttf'),
};
const BOLD = {
  main: fontFile('IBMPlexSansCondensed-SemiBold.ttf'),
  rare: fontFile('NotoSans-LatinExt-SemiBold.ttf'),
};

function fontFile(name: string): string {
  return fileURLToPath(new URL(`fonts/${name}`, import.meta.url));
}

interface FontGlyph {
  readonly id: number;
  readonly advanceWidth: number;
  readonly bbox: { readonly minX: number; readonly maxX: number; readonly minY: number; readonly maxY: number };
}

/** What pdfkit keeps of an embedded font; its own text calls shape every string anew, which costs eight times more. */
interface EmbeddedFont {
  readonly id: string;
  readonly font: { glyphForCodePoint(codePoint: number): FontGlyph };
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
  /** Of the main font, and no mark. */
  readonly isPlain: boolean;
  /** Id of the other font that it is of. */
  readonly rareFont: string | undefined;
  /** Of a mark that is over or under the letter before it: its middle, from its origin, and its lower edge. */
  readonly mark: { readonly middle: number; readonly bottom: number } | undefined;
  readonly top: number;
}

interface PageOfFonts {
  readonly fonts: Record<string, unknown>;
}

/** One font of one document: texts to glyph codes and widths, each character looked up once. */
export interface Typeface {
  readonly id: string;
  /** Makes the font known to the current page. */
  use(page: PDFKit.PDFDocument['page']): void;
  width(text: string, size: number): number;
  /** Glyph codes for a Tj operator: hexadecimal, so that no text can be an operator; rare ones bring their own. */
  encode(text: string, size: number): string;
  /** Characters that the fonts lacked since the last call. */
  takeMissing(): readonly string[];
  /** The fonts' objects by id, for the resources of a form. */
  fonts(): Record<string, unknown>;
}

/** Code points of all letters that Portuguese and its neighbours use. */
const COMMON = 0x250;

/** The fonts of a document; both have figures of one width. */
export type Faces = Readonly<Record<'regular' | 'bold', Typeface>>;

export function openFaces(document: PDFKit.PDFDocument): Faces {
  return { regular: openTypeface(document, REGULAR), bold: openTypeface(document, BOLD) };
}

function openTypeface(document: PDFKit.PDFDocument, files: { main: string; rare: string }): Typeface {
  const { glyphOf, ...glyphs } = openGlyphs(document, files);
  return {
    ...glyphs,
    width(text, size) {
      let width = 0;
      for (let at = 0; at < text.length; at++) {
        const codePoint = text.codePointAt(at)!;
        if (codePoint > 0xffff) at++;
        width += glyphOf(codePoint).width;
      }
      return (width * size) / 1000;
    },
    encode(text, size) {
      let hex = '';
      let before: Glyph | undefined;
      for (let at = 0; at < text.length; at++) {
        const codePoint = text.codePointAt(at)!;
        if (codePoint > 0xffff) at++;
        const glyph = glyphOf(codePoint);
        hex += glyph.isPlain ? glyph.hex : `> Tj ${showGlyph(glyph, before, glyphs.id, size)} <`;
        if (glyph.mark === undefined) before = glyph;
      }
      return hex;
    },
  };
}

/** Glyphs by code point, of the main font or, where it lacks a letter, of the one for rare ones. */
function openGlyphs(document: PDFKit.PDFDocument, { main, rare }: { main: string; rare: string }) {
  const font = openFont(document, main);
  let rareFont: EmbeddedFont | undefined;
  let page: PageOfFonts | undefined;
  /** By code point: an array for the common ones is looked up fastest. */
  const common: (Glyph | undefined)[] = new Array(COMMON).fill(undefined);
  const others = new Map<number, Glyph>();
  const missing = new Set<string>();
  const fonts = () => ({
    [font.id]: font.ref(),
    ...(rareFont === undefined ? {} : { [rareFont.id]: rareFont.ref() }),
  });
  const rareGlyphOf = (codePoint: number): Glyph | undefined => {
    if (rareFont === undefined) {
      rareFont = openFont(document, rare);
      Object.assign(page?.fonts ?? {}, fonts());
    }
    const glyph = rareFont.font.glyphForCodePoint(codePoint);
    return glyph.id === 0 ? undefined : makeGlyph(rareFont, glyph, codePoint, rareFont.id);
  };
  const glyphOf = (codePoint: number): Glyph => {
    const known = codePoint < COMMON ? common[codePoint] : others.get(codePoint);
    if (known) return known;
    const glyph = font.font.glyphForCodePoint(codePoint);
    const rareGlyph = glyph.id === 0 && isLatin(codePoint) ? rareGlyphOf(codePoint) : undefined;
    if (glyph.id === 0 && rareGlyph === undefined) missing.add(String.fromCodePoint(codePoint));
    const made = rareGlyph ?? makeGlyph(font, glyph, codePoint);
    if (codePoint < COMMON) common[codePoint] = made;
    else others.set(codePoint, made);
    return made;
  };
  return {
    id: font.id,
    fonts,
    glyphOf,
    takeMissing(): readonly string[] {
      const taken = [...missing];
      missing.clear();
      // Looked up anew, they are missing again in the next report that has them.
      for (const character of taken) {
        const codePoint = character.codePointAt(0)!;
        if (codePoint < COMMON) common[codePoint] = undefined;
        else others.delete(codePoint);
      }
      return taken;
    },
    use(current: Parameters<Typeface['use']>[0]): void {
      page = current as unknown as PageOfFonts;
      Object.assign(page.fonts, fonts());
    },
  };
}

function openFont(document: PDFKit.PDFDocument, path: string): EmbeddedFont {
  document.font(path);
  return (document as unknown as { _font: EmbeddedFont })._font;
}

function makeGlyph(font: EmbeddedFont, glyph: FontGlyph, codePoint: number, rareFont?: string): Glyph {
  const at = font.subset.includeGlyph(glyph.id);
  const width = glyph.advanceWidth * font.scale;
  font.widths[at] ??= width;
  font.unicode[at] ??= [codePoint];
  const isMark = codePoint >= FIRST_MARK && codePoint <= LAST_MARK && width === 0;
  const { minX, maxX, minY, maxY } = glyph.bbox;
  const mark = isMark ? { middle: ((minX + maxX) / 2) * font.scale, bottom: minY * font.scale } : undefined;
  const isPlain = rareFont === undefined && mark === undefined;
  return { hex: at.toString(16).padStart(4, '0'), width, isPlain, rareFont, mark, top: maxY * font.scale };
}

/** Between a letter and the mark over it, in thousandths. */
const MARK_GAP = 60;

/** Operators for a glyph of another font, or for a mark at the letter before it: in its middle, above capitals too. */
function showGlyph({ hex, rareFont, mark }: Glyph, before: Glyph | undefined, mainFont: string, size: number): string {
  const text = mark === undefined ? `<${hex}> Tj` : markAt(hex, mark, before, size);
  return rareFont === undefined ? text : `/${rareFont} ${size} Tf ${text} /${mainFont} ${size} Tf`;
}

function markAt(hex: string, { middle, bottom }: NonNullable<Glyph['mark']>, before: Glyph | undefined, size: number) {
  const back = Math.round((before?.width ?? 0) / 2 + middle);
  const rise = bottom > 0 ? Math.max(0, (before?.top ?? 0) + MARK_GAP - bottom) : 0;
  const text = `[${back} <${hex}> ${-back}] TJ`;
  return rise === 0 ? text : `${Math.round(rise * size) / 1000} Ts ${text} 0 Ts`;
}

/** Letters, marks and signs of the Latin script beyond those of western languages. */
function isLatin(codePoint: number): boolean {
  return (
    codePoint < 0x370 || (codePoint >= 0x1d00 && codePoint < 0x1f00) || (codePoint >= 0x2000 && codePoint < 0x2d00)
  );
}

const FIRST_MARK = 0x300;
const LAST_MARK = 0x36f;
