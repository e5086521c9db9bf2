import { useGo } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty } from '../../ui/states.tsx';
import { ViewChoice } from '../../ui/view-choice.tsx';
import { STATEMENT_VIEWS, titleOf } from './views.ts';

/** A statement that has its figures on paper alone: what happened during the year stands beside what the accounts hold. */
export function PrintedStatement({ tipo }: { readonly tipo: 'DLPA' | 'DMPL' }) {
  const go = useGo();
  const title = titleOf(tipo);
  return (
    <Screen title={title} actions={<ViewChoice views={STATEMENT_VIEWS} value={tipo} />}>
      <Empty
        title="Esta demonstração sai impressa"
        action={
          <Button
            kind="primary"
            icon="print"
            onClick={() => go({ screen: 'relatorios', search: { relatorio: 'demonstracao', tipo } })}
          >
            Abrir em Relatórios
          </Button>
        }
      >
        {`${title}: Relatórios mostra e salva a demonstração em PDF, CSV ou XLSX; os fatos do exercício que ela detalha ficam em Cadastros, em Fatos do patrimônio.`}
      </Empty>
    </Screen>
  );
}
