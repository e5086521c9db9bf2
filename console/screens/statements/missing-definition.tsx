import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { PlaceLink } from '../../ui/place-link.tsx';
import { Empty, messageOf } from '../../ui/states.tsx';
import { STATEMENT_KEY, titleOf } from './views.ts';

/** The chart does not say what stands on which line: the usual lines are made from its accounts at a press. */
export function MissingDefinition({ tipo }: { readonly tipo: 'BP' | 'DRE' }) {
  const { company, branch } = usePlace();
  const mayDefine = useMay('CHART_OF_ACCOUNTS');
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const define = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { chartCode } = await api.masterdata.getBranchOptions({ path: { company, branch } });
      await api.masterdata.createDefaultStatements({ body: { chartCode, kinds: [tipo] } });
      await queries.invalidateQueries({ queryKey: [STATEMENT_KEY] });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <Empty
        title="Esta demonstração ainda não tem linhas"
        action={
          mayDefine && (
            <Button kind="primary" icon="plus" busy={busy} onClick={() => void define()}>
              Criar as linhas usuais
            </Button>
          )
        }
      >
        {`O plano de contas não diz em que linhas de “${titleOf(tipo)}” ficam as suas contas. `}
        {mayDefine ? (
          <>
            As usuais se criam das próprias contas; depois se mudam em{' '}
            <PlaceLink to={{ screen: 'cadastros' }} search={{ tipo: 'demonstracoes' }}>
              Cadastros
            </PlaceLink>
            .
          </>
        ) : (
          'Quem cuida do plano de contas pode criá-las.'
        )}
      </Empty>
      {error !== undefined && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </>
  );
}
