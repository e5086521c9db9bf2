import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemsOf } from '../../ui/field.tsx';
import { byPoints, type FormRecord } from '../../ui/forms/form-value.ts';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { labelOf, TYPE_LABELS } from './labels.ts';
import type { RecordType } from './record-types.ts';
import { type RecordsPlace, type Row, saveSheet } from './records-data.ts';

/** The rows of a sheet as they are being changed; they are saved together, for they are right only together. */
export function useSheet(type: RecordType, place: RecordsPlace, saved: readonly Row[]) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<readonly Row[]>();
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const [isSaving, setIsSaving] = useState(false);
  const rows = draft ?? saved;
  const save = async () => {
    if (draft === undefined || isSaving) return;
    setIsSaving(true);
    try {
      await saveSheet(type, place, draft);
      await queries.invalidateQueries();
      setDraft(undefined);
      setRefusals([]);
      toast(`Gravado: ${TYPE_LABELS[type.slug]!.title}.`);
    } catch (error) {
      setRefusals(refusalsOf(type, error));
    } finally {
      setIsSaving(false);
    }
  };
  return {
    rows,
    isChanged: draft !== undefined,
    isSaving,
    refusals,
    save,
    put: (row: FormRecord, at: number | undefined) => setDraft(at === undefined ? [...rows, row] : rows.with(at, row)),
    remove: (at: number) => setDraft(rows.toSpliced(at, 1)),
    discard: () => {
      setDraft(undefined);
      setRefusals([]);
    },
  };
}

/** 'Linha 3, Saldo: …' of each problem that names a row. */
function refusalsOf(type: RecordType, error: unknown): readonly string[] {
  const problems = Object.entries(byPoints(problemsOf(error)));
  if (problems.length === 0) return [messageOf(error)];
  return problems.map(([path, problem]) => {
    const [, row, field] = /^(\d+)\.(\w+)/.exec(path) ?? [];
    if (row === undefined || field === undefined) return problem;
    return `Linha ${Number(row) + 1}, ${labelOf(type.slug, field) ?? field}: ${problem}`;
  });
}
