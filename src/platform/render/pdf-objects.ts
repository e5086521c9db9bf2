import { deflateSync } from 'node:zlib';
import type PDFKit from 'pdfkit';
import type { Typeface } from './typeface.ts';

/** What pdfkit calls a reference: an object of the file that is written when it ends. */
interface Reference {
  data: Record<string, unknown>;
  compress: boolean;
  write(data: string | Uint8Array): void;
  end(data?: Uint8Array): void;
}

/** What pdfkit keeps of the page under way. */
interface PageUnderWay {
  readonly dictionary: Reference;
  readonly content: Reference;
  readonly xobjects: Record<string, unknown>;
}

/** Operators that several pages show, written once; a page may show them before they are known. */
export interface PdfForm {
  /** Makes the form known to a page under a name. */
  use(page: PDFKit.PDFDocument['page'], name: string): void;
  /** Writes it; later pages may still show it. */
  end(operators: string): void;
}

export function openForm(document: PDFKit.PDFDocument, faces: readonly Typeface[], box: readonly number[]): PdfForm {
  const reference = document.ref({ Type: 'XObject', Subtype: 'Form', BBox: box }) as unknown as Reference;
  return {
    use(page, name) {
      (page as unknown as PageUnderWay).xobjects[name] = reference;
    },
    end(operators) {
      reference.data.Resources = { Font: Object.assign({}, ...faces.map((face) => face.fonts())) };
      reference.write(operators);
      reference.end();
    },
  };
}

/** Three times as fast as zlib's default on page contents, for a tenth more of bytes; measured. */
const LEVEL = 3;

/** Ends the page under way with these operators, compressed by us: pdfkit's own way takes four times as long. */
export function endPage(document: PDFKit.PDFDocument, operators: string): void {
  const page = document.page as unknown as PageUnderWay;
  const content = document.ref({ Filter: 'FlateDecode' }) as unknown as Reference;
  content.end(deflateSync(Buffer.from(operators, 'latin1'), { level: LEVEL }));
  // pdfkit has turned the page upside down in a stream of its own, too short to be compressed.
  page.content.compress = false;
  delete page.content.data.Filter;
  page.dictionary.data.Contents = [page.content, content];
  document.flushPages();
  // Written; what remains in the tree of pages is a number.
  page.dictionary.data = {};
}

/** What pdfkit keeps of an entry of the outline. */
interface OutlineEntry {
  readonly outlineData: Record<string, unknown>;
  readonly dictionary: Reference;
  children: OutlineEntry[];
  endOutline(): void;
}

/** Writes the entries below this one, which need no memory then; it can have no further ones. */
export function endEntriesBelow(entry: PDFKit.PDFOutline): void {
  const parent = entry as unknown as OutlineEntry;
  const { children } = parent;
  if (children.length === 0) return;
  parent.outlineData.First = children[0]!.dictionary;
  parent.outlineData.Last = children.at(-1)!.dictionary;
  for (const [at, child] of children.entries()) {
    if (at > 0) child.outlineData.Prev = children[at - 1]!.dictionary;
    if (at < children.length - 1) child.outlineData.Next = children[at + 1]!.dictionary;
    child.endOutline();
  }
  // Each one leads to its neighbours: one that is kept would keep all of them.
  for (const { dictionary } of children) dictionary.data = {};
  parent.children = [];
}
