import type PDFKit from 'pdfkit';
import type { Typeface } from './typeface.ts';

/** What pdfkit calls a reference: an object of the file that is written when it ends. */
interface Reference {
  readonly data: Record<string, unknown>;
  write(text: string): void;
  end(): void;
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
      (page as unknown as { xobjects: Record<string, unknown> }).xobjects[name] = reference;
    },
    end(operators) {
      reference.data.Resources = { Font: Object.fromEntries(faces.map((face) => [face.id, face.reference()])) };
      reference.write(operators);
      reference.end();
    },
  };
}
