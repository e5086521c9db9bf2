import { useQueryClient } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { useRef, useState } from 'react';
import { useGo, usePlace } from '../../data/place.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { centavosOf } from '../../ui/format.ts';
import { Screen } from '../../ui/screen.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Failure } from '../../ui/states.tsx';
import { CheckField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { BatchChoice } from './batch-choice.tsx';
import { rowsText } from './imports.ts';
import { type Judgement, saveFile } from './judge.ts';
import { ProblemList } from './problem-list.tsx';
import { cellOf, columnOfProblem, type Sheet } from './sheet.ts';
import { type SheetHandle, SheetRows } from './sheet-rows.tsx';
import { useJudgement } from './use-judgement.ts';

/** A file on its way into the books: its rows, what the server finds wrong with them, and the key that saves it. */
export function SheetEditor({ opened, onClose }: { readonly opened: Sheet; readonly onClose: () => void }) {
  const { company, branch } = usePlace();
  const [sheet, setSheet] = useState(opened);
  const [batchId, setBatchId] = useState<number>();
  const [force, setForce] = useState(false);
  const [onlyWrong, setOnlyWrong] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const rows = useRef<SheetHandle>(null);
  const target = { company, branch, batchId, force };
  const { judgement, error, isJudging, judgeNow } = useJudgement(sheet, target);
  const saving = useSaving(onClose);
  const problems = judgement?.problems ?? [];
  const isClean = judgement?.success === true && !isJudging;
  const needsBatch = sheet.kind === 'CSV' && batchId === undefined;

  const save = () => {
    if (isClean) void saving.save(sheet, target, judgeNow);
    else judgeNow();
  };
  const leave = () => (sheet === opened ? onClose() : setLeaving(true));
  return (
    <Screen
      title={sheet.name}
      subtitle={isJudging ? 'conferindo…' : sizeOf(sheet, judgement)}
      badge={<State judgement={judgement} isJudging={isJudging} needsBatch={needsBatch} />}
      keys={[
        { keys: 'F8', label: 'próximo problema', run: () => rows.current?.nextProblem() ?? false },
        { keys: 'F2', label: 'corrige', shown: 'Enter', run: () => rows.current?.edit() ?? false },
        { keys: 'Ctrl+Enter', label: isClean ? 'grava' : 'confere', run: save },
        { keys: 'Escape', label: 'outro arquivo', run: leave },
      ]}
      actions={
        <>
          {problems.length > 0 && <CheckField label="Só com problema" value={onlyWrong} onChange={setOnlyWrong} />}
          {sheet.kind === 'CSV' && <BatchChoice value={batchId} onChange={setBatchId} />}
          <Button onClick={leave}>Outro arquivo</Button>
          <Button kind="primary" icon="check" disabled={!isClean} busy={saving.isSaving} onClick={save}>
            {judgement === undefined ? 'Gravar' : `Gravar ${rowsText(judgement.totalRows)}`}
          </Button>
        </>
      }
      side={
        problems.length > 0 && (
          <SidePanel title={judgement!.message}>
            <ProblemList problems={problems} onGo={(problem) => rows.current?.go(problem)} />
          </SidePanel>
        )
      }
    >
      {error !== undefined && <Rejected error={error} onForce={() => setForce(true)} onRepeat={judgeNow} />}
      {saving.error !== undefined && <Failure error={saving.error} onRepeat={save} />}
      {sheet.isPart && (
        <p className="sheet-part">
          Arquivo grande: aparecem as primeiras linhas. O servidor confere todas; o que estiver errado se corrige no
          arquivo.
        </p>
      )}
      {isClean && <Sums judgement={judgement} />}
      <SheetRows
        ref={rows}
        sheet={sheet}
        problems={problems.map((problem) => ({ ...problem, column: columnOfProblem(sheet, problem.column) ?? null }))}
        onlyWrong={onlyWrong && problems.length > 0}
        onWrite={(row, column, text) =>
          setSheet((before) => (cellOf(before, row, column) === text ? before : before.write(row, column, text)))
        }
      />
      {isLeaving && (
        <ConfirmDialog
          title="Deixar as correções?"
          action="Deixar"
          danger
          onClose={() => setLeaving(false)}
          onConfirm={onClose}
        >
          <p>As correções feitas aqui se perdem; o arquivo no seu computador continua como estava.</p>
        </ConfirmDialog>
      )}
    </Screen>
  );
}

function sizeOf(sheet: Sheet, judgement: Judgement | undefined): string {
  const rows = judgement?.totalRows ?? (sheet.isPart ? undefined : sheet.rows.length);
  return rows === undefined ? sheet.kind : `${sheet.kind}, ${rowsText(rows)}`;
}

interface StateProps {
  readonly judgement: Judgement | undefined;
  readonly isJudging: boolean;
  readonly needsBatch: boolean;
}

function State({ judgement, isJudging, needsBatch }: StateProps) {
  if (isJudging) return <Badge tone="open">conferindo</Badge>;
  if (needsBatch) return <Badge tone="open">escolha o lote</Badge>;
  if (judgement === undefined) return <Badge tone="none">não conferido</Badge>;
  if (judgement.success) return <Badge tone="done">pronto para gravar</Badge>;
  return (
    <Badge tone="wrong">
      {rowsText(judgement.errorRows)} com {judgement.problems.length === 1 ? 'problema' : 'problemas'}
    </Badge>
  );
}

function Sums({ judgement: { debits, credits } }: { readonly judgement: Judgement }) {
  if (debits === null || credits === null) return null;
  return (
    <p className="sheet-sums">
      Débitos <Amount value={centavosOf(debits)} /> e créditos <Amount value={centavosOf(credits)} /> conferem.
    </p>
  );
}

interface RejectedProps {
  readonly error: unknown;
  readonly onForce: () => void;
  readonly onRepeat: () => void;
}

/** The file as a whole is not taken; one that was imported before may be imported again. */
function Rejected({ error, onForce, onRepeat }: RejectedProps) {
  const isKnown = error instanceof PartidasProblem && error.code === 'FILE_IMPORTED_BEFORE';
  if (!isKnown) return <Failure error={error} onRepeat={onRepeat} />;
  return (
    <div className="sheet-known" role="alert">
      <p>Este mesmo arquivo já foi importado nesta filial.</p>
      <Button onClick={onForce}>Importar de novo</Button>
    </div>
  );
}

/** Saves the bytes that were judged, once however often the key is pressed. */
function useSaving(onDone: () => void) {
  const queryClient = useQueryClient();
  const go = useGo();
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const keys = useRef(new WeakMap<File, string>());
  const save = async (sheet: Sheet, target: Parameters<typeof saveFile>[1], onFaults: () => void) => {
    if (isSaving) return;
    setSaving(true);
    setError(undefined);
    const idempotencyKey = keys.current.get(sheet.file) ?? crypto.randomUUID();
    keys.current.set(sheet.file, idempotencyKey);
    try {
      const faults = await saveFile(sheet, target, { idempotencyKey });
      if (faults) return onFaults();
      await queryClient.invalidateQueries();
      const search = target.batchId === undefined ? {} : { lote: String(target.batchId) };
      toast(`${sheet.name}: importado`, {
        action: { text: 'Ver lançamentos', run: () => go({ screen: 'lancamentos', search }) },
      });
      onDone();
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  };
  return { isSaving, error, save };
}
