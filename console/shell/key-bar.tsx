import { keyText, useShownKeys } from '../ui/keys.tsx';

/** The keys of this screen. */
export function KeyBar() {
  const { screen, shell } = useShownKeys();
  const always = shell.filter(({ keys }) => keys === 'Ctrl+K' || keys === '?');
  return (
    <footer className="key-bar">
      {[...screen, ...always].map((binding) => (
        <span key={keyText(binding) + binding.label} className="key-bar-item">
          <kbd>{keyText(binding)}</kbd> {binding.label}
        </span>
      ))}
    </footer>
  );
}
