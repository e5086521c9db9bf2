import { Dialog } from '../ui/dialog.tsx';
import { type KeyBinding, keyText, useShownKeys } from '../ui/keys.tsx';

/** What `?` shows. */
export function AllKeys({ onClose }: { readonly onClose: () => void }) {
  const { screen, shell } = useShownKeys();
  return (
    <Dialog title="Atalhos" onClose={onClose} wide>
      <div className="all-keys">
        {screen.length > 0 && <KeyList title="Nesta tela" bindings={screen} />}
        <KeyList title="Em toda parte" bindings={shell} />
      </div>
    </Dialog>
  );
}

function KeyList({ title, bindings }: { readonly title: string; readonly bindings: readonly KeyBinding[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {bindings.map((binding) => (
          <div key={keyText(binding) + binding.label}>
            <dt>
              <kbd>{keyText(binding)}</kbd>
            </dt>
            <dd>{binding.label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
