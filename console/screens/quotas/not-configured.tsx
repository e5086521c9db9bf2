import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';

/** In the place of quotas, where nobody said yet how the branch calculates them. */
export function NotConfigured({ onConfigure }: { readonly onConfigure: (() => void) | undefined }) {
  return (
    <Empty
      title="Esta filial não calcula cotas"
      action={
        onConfigure && (
          <Button kind="primary" onClick={onConfigure}>
            Configurar
          </Button>
        )
      }
    >
      Para calcular, diga qual conta é o patrimônio líquido e quantas cotas há.
    </Empty>
  );
}
