import type { Annex, Rows } from '../../../platform/render/rows.ts';
import type { ReportKind, ReportRequest } from './report-request.ts';
import type { ReportSource } from './report-source.ts';
import { readTemplate } from './report-template.ts';
import { makeReport } from './reports.ts';

/** The reports that are bound with a book, and what became known while they were made. */
export interface BoundAnnexes {
  /** Each is made when the one before is printed: a book may have many. */
  readonly reports: AsyncIterable<Annex> | undefined;
  readonly kinds: readonly ReportKind[];
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** Makes what is bound with a book, from the same snapshot. `counted` watches the rows. */
export function makeAnnexes(source: ReportSource, request: ReportRequest, counted: (rows: Rows) => Rows): BoundAnnexes {
  const { annexes = [] } = 'annexes' in request ? request : {};
  const faults: string[] = [];
  const warnings: string[] = [];
  async function* reports(): AsyncGenerator<Annex> {
    for (const annex of annexes) {
      const { layout, fault } = await readTemplate(annex.kind, source.templates);
      const content = await makeReport(source, annex);
      if (fault !== undefined) faults.push(fault);
      warnings.push(...(content.warnings ?? []));
      yield { layout, content: { ...content, rows: counted(content.rows) } };
    }
  }
  return {
    reports: annexes.length === 0 ? undefined : reports(),
    kinds: annexes.map(({ kind }) => kind),
    faults,
    warnings,
  };
}
