import { useQuery } from '@tanstack/react-query';
import { groupedSeal } from '../../../src/accounting/grouped-seal.ts';
import { sealMark } from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { type Seal, sealsOfMonth, sealsQuery, shortSeal } from '../../data/seals.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { saveAs } from '../../ui/download.tsx';
import { countText, instantText } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failure } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Step } from './step.tsx';

/** The seal that the close gave the month, those that it replaces, and what an auditor keeps of them. */
export function SealStep({ overview }: { readonly overview: BranchOverview }) {
  const { company, month } = usePlace();
  const { branch, state } = overview;
  const seals = useQuery({ ...sealsQuery(company, branch), enabled: state !== 'NOT_OPENED' });
  const { tone, text } = sealMark(overview);
  const ofMonth = sealsOfMonth(seals.data ?? [], month);
  const last = ofMonth.at(-1);
  return (
    <Step title="Selo" tone={tone} state={text}>
      {seals.error ? <Failure error={seals.error} onRepeat={() => seals.refetch()} /> : null}
      {state === 'OPEN' && seals.data !== undefined && (
        <p>
          {last === undefined
            ? 'A consolidação sela o mês: um resumo assinado de todas as partidas e saldos.'
            : `O mês foi reaberto: o selo de ${instantText(last.sealedAt)} não vale mais, e a próxima consolidação dá outro.`}
        </p>
      )}
      {state === 'CLOSED' && seals.data !== undefined && last === undefined && (
        <p>Consolidado antes de haver selos. Reaberto e consolidado de novo, o mês ganha o seu.</p>
      )}
      {state === 'CLOSED' && last !== undefined && <SealInForce seal={last} />}
      {ofMonth.length > 1 && <Replaced seals={ofMonth} />}
      {seals.data !== undefined && seals.data.length > 0 && <Keep branch={branch} seals={seals.data} />}
    </Step>
  );
}

function SealInForce({ seal: { seal, sealedAt, sealedBy, lines, balances } }: { readonly seal: Seal }) {
  return (
    <>
      <p className="seal-line">
        <Badge tone="seal">
          <Icon name="seal" /> {shortSeal(seal)}
        </Badge>
        <Button
          kind="quiet"
          icon="copy"
          aria-label="Copiar o selo"
          title="Copiar o selo"
          onClick={() => void copy(seal)}
        />
      </p>
      <p>
        {`Em ${instantText(sealedAt)} por ${sealedBy}`}
        <small>{`${countText(lines)} partidas e ${countText(balances)} saldos`}</small>
      </p>
      <details className="runs">
        <summary>O selo inteiro</summary>
        <p className="seal-whole">{groupedSeal(seal)}</p>
        <p>O mesmo está no termo de encerramento do livro.</p>
      </details>
    </>
  );
}

/** The seals of a month that was opened again, newest first, with why each came in the place of the one before. */
function Replaced({ seals }: { readonly seals: readonly Seal[] }) {
  return (
    <ul className="seal-replaced" aria-label="Selos substituídos">
      {seals
        .slice(1)
        .map((seal, at) => ({ seal, replaced: seals[at]! }))
        .reverse()
        .map(({ seal: { seal, reason }, replaced }) => (
          <li key={seal}>
            {'Substitui '}
            <span className="code" title={replaced.seal}>
              {shortSeal(replaced.seal)}
            </span>
            {` de ${instantText(replaced.sealedAt)}`}
            <small>{reason === null ? 'sem motivo registrado' : `Motivo: ${reason}`}</small>
          </li>
        ))}
    </ul>
  );
}

/** The file that `npm run admin -- verify --against` takes: what the list of seals answers. */
function Keep({ branch, seals }: { readonly branch: string; readonly seals: readonly Seal[] }) {
  const { company } = usePlace();
  const save = () => {
    const blob = new Blob([`${JSON.stringify(seals, null, 1)}\n`], { type: 'application/json' });
    saveAs(blob, `selos-${company}-${branch}.json`);
  };
  return (
    <div className="step-actions">
      <Button
        icon="download"
        title="Todos os selos da filial, para guardar fora do programa: com eles se confere depois se os livros ainda são os mesmos"
        onClick={save}
      >
        Baixar selos da filial
      </Button>
    </div>
  );
}

async function copy(seal: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(seal);
    toast('Selo copiado');
  } catch {
    toast('O navegador não permitiu copiar: abra “O selo inteiro” e copie de lá.', { tone: 'wrong' });
  }
}
