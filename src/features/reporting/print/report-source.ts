import type { Printable } from '../../../platform/render/rows.ts';
import type { BoundVolume } from '../books/issued-book.ts';
import type { StatementSource } from '../statements/statement-source.ts';

/** What a report is made from. */
export interface ReportSource extends StatementSource {
  /** When it is printed, for the header. */
  readonly now: Date;
  /** Folder of the installation's own templates. */
  readonly templates: string | undefined;
  /** Called between chunks with the number of bytes: throws when they are too many or no longer needed. */
  readonly watch: (bytes: number) => void;
}

/** A report ready to be printed. */
export interface ReportContent extends Printable {
  /** Why the installation's own wording was not used. */
  readonly templateFault?: string | undefined;
  /** The volumes of a book with terms, filled as they are printed. */
  readonly bound?: readonly BoundVolume[];
  /** Warnings about the printed figures, in Portuguese. */
  readonly warnings?: readonly string[];
}
