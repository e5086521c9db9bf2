import { keyText, useShownKeys } from '../ui/keys.tsx';

/** The keys of this screen. */
export function KeyBar() {
  const { screen, shell } = useShownKeys();
  const always = shell.filter(({ keys }) => keys === 'Ctrl+K' || keys === '?');
  const ordered = screen.toSorted((one, other) => Number(one.minor ?? false) - Number(other.minor ?? false));
  return (
    <footer className="key-bar">
      {[...ordered, ...always].map((binding) => (
        <span key={keyText(binding) + binding.label} className="key-bar-item">
          <kbd>{keyText(binding)}</kbd> {binding.label}
        </span>
      ))}
    </footer>
  );
}
