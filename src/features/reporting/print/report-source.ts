import type { Printable } from '../../../platform/render/rows.ts';
import type { StatementSource } from '../statements/statement-source.ts';

/** What a report is made from. */
export interface ReportSource extends StatementSource {
  /** When it is printed, for the header. */
  readonly now: Date;
  /** Folder of the installation's own templates. */
  readonly templates: string | undefined;
  /** To be told between portions how many bytes there are: throws when they are too many or nobody waits for them. */
  readonly watch: (bytes: number) => void;
}

/** A report ready to be printed. */
export interface ReportContent extends Printable {
  /** Why the installation's own wording was not used. */
  readonly templateFault?: string | undefined;
  /** What the reader must know of the figures, in Portuguese: they are printed, but something is wrong with them. */
  readonly warnings?: readonly string[];
}
