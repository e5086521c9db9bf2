import { useRef, useState } from 'react';
import { api } from '../../data/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { FilingFindings, FindingPanel, FoundBadges, type ShownFinding } from './filing-findings.tsx';
import { FILING_VIEWS } from './filing-kinds.ts';

type Checked = Awaited<ReturnType<typeof api.reports.checkRegulatoryFile>>;

type State =
  | { readonly is: 'none' }
  | { readonly is: 'checking' | 'failed'; readonly file: File; readonly error?: unknown }
  | { readonly is: 'checked'; readonly file: File; readonly checked: Checked };

/** A file of anyone's against the regulators' own rules; nothing of it is kept. */
export function CheckAnyFile() {
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<State>({ is: 'none' });
  const [marked, setMarked] = useState<ShownFinding>();
  const choose = () => input.current?.click();
  const check = async (file: File) => {
    setState({ is: 'checking', file });
    setMarked(undefined);
    try {
      setState({ is: 'checked', file, checked: await api.reports.checkRegulatoryFile({ body: { file } }) });
    } catch (error) {
      setState({ is: 'failed', file, error });
    }
  };
  const button = (
    <Button kind="primary" icon="upload" busy={state.is === 'checking'} onClick={choose}>
      Escolher arquivo
    </Button>
  );
  return (
    <Screen
      title="Obrigações"
      subtitle={state.is === 'none' ? null : state.file.name}
      badge={null}
      keys={[
        { keys: 'O', label: 'escolhe o arquivo', run: choose },
        { keys: '↑ ↓', label: 'achado' },
      ]}
      actions={
        <>
          <ViewChoice views={FILING_VIEWS} value="verificar" />
          {state.is !== 'none' && button}
        </>
      }
      side={state.is === 'checked' && marked && <FindingPanel finding={marked} />}
    >
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        aria-label="Arquivo para verificar"
        tabIndex={-1}
        accept=".txt,.xml,text/plain,text/xml,application/xml"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          // The same file may be chosen again once it was mended.
          event.target.value = '';
          if (file !== undefined) void check(file);
        }}
      />
      {state.is === 'none' && (
        <Empty title="Nenhum arquivo escolhido" action={button}>
          Uma ECD ou um documento 4010 ou 4016, de qualquer sistema, é conferido com as regras dos próprios reguladores.
          Nada dele fica guardado.
        </Empty>
      )}
      {state.is === 'checking' && <Loading label="Verificando o arquivo" />}
      {state.is === 'failed' && <Failure error={state.error} onRepeat={() => void check(state.file)} />}
      {state.is === 'checked' && <Outcome checked={state.checked} onMark={setMarked} />}
    </Screen>
  );
}

const KINDS: Readonly<Record<Checked['arquivo'], string>> = {
  ECD: 'ECD',
  '4010': 'Documento 4010',
  '4016': 'Documento 4016',
  DESCONHECIDO: 'Arquivo desconhecido',
};

interface OutcomeProps {
  readonly checked: Checked;
  readonly onMark: (finding: ShownFinding | undefined) => void;
}

function Outcome({ checked, onMark }: OutcomeProps) {
  const { arquivo, livro, linhas, bytes, naoProvadas } = checked;
  return (
    <>
      <section className="panel filing-outcome" aria-label="Resultado da verificação">
        <p role="status">
          {arquivo === 'DESCONHECIDO' ? <Badge tone="wrong">não reconhecido</Badge> : <FoundBadges {...checked} />}{' '}
          {`${KINDS[arquivo]}${livro === undefined ? '' : `, livro ${livro}`}: ${countText(linhas)} linhas, ${countText(bytes)} bytes`}
        </p>
        {naoProvadas.length > 0 && (
          <details>
            <summary>{`${countText(naoProvadas.length)} regras não se provam só com este arquivo`}</summary>
            <p className="field-hint">{naoProvadas.join('; ')}</p>
          </details>
        )}
      </section>
      <FilingFindings found={checked} onMark={onMark} />
    </>
  );
}
