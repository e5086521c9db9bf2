import { useGo } from '../../data/place.ts';
import { type ChartAccount, useChart } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';

interface PathProps {
  readonly account: number;
  readonly onOpen: (account: number) => void;
}

/** The way from the trial balance through the accounts above. */
export function AccountPath({ account, onOpen }: PathProps) {
  const { byId } = useChart();
  const go = useGo();
  const above: ChartAccount[] = [];
  for (let id = byId(account)?.parentId; id != null; id = byId(id)?.parentId) {
    const each = byId(id);
    if (each === undefined) break;
    above.unshift(each);
  }
  return (
    <nav className="ledger-path" aria-label="Contas acima">
      <Button icon="left" onClick={() => go({ screen: 'balancete', search: {} })}>
        Balancete
      </Button>
      {above.map(({ id, name }) => (
        <Button key={id} kind="quiet" onClick={() => onOpen(id)}>
          {name}
        </Button>
      ))}
    </nav>
  );
}
