import { useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { addMonths } from '../../src/accounting/period.ts';
import { useGo, usePlace } from '../data/place.ts';
import { useCompanies } from '../data/session.ts';
import { type KeyBinding, useKeys } from '../ui/keys.tsx';
import { AllKeys } from './all-keys.tsx';
import { useVisibleScreens } from './visible-screens.ts';

/** A digit after G counts for so long. */
const AFTER_G = 1_500;

interface ShellKeysProps {
  readonly onSearch: () => void;
}

/** The keys that every screen has. */
export function ShellKeys({ onSearch }: ShellKeysProps) {
  const [isListShown, setIsListShown] = useState(false);
  const place = usePlace();
  const go = useGo();
  const router = useRouter();
  const screens = useVisibleScreens();
  const companies = useCompanies();
  const pressedG = useRef(Number.NEGATIVE_INFINITY);
  const toScreen = (digit: string) => {
    const screen = screens[Number(digit) - 1];
    if (screen) go({ screen: screen.path });
    return screen !== undefined;
  };
  const toBranch = (by: number) => {
    const branches = companies.find(({ code }) => code === place.company)?.branches ?? [];
    const next = branches[branches.findIndex(({ code }) => code === place.branch) + by];
    if (next) go({ branch: next.code });
  };
  const digits = Array.from({ length: 9 }, (_, at) => String(at + 1));
  const bindings: KeyBinding[] = [
    { keys: 'Ctrl+K', label: 'busca tudo', run: onSearch },
    {
      keys: digits.map((digit) => `Alt+${digit}`),
      label: 'telas (ou G e o número)',
      shown: 'Alt 1…9',
      run: ({ code }) => toScreen(code.slice(-1)),
    },
    {
      keys: digits,
      run: ({ key, timeStamp }) => timeStamp - pressedG.current < AFTER_G && toScreen(key),
    },
    {
      keys: 'G',
      alone: true,
      run: ({ timeStamp }) => {
        pressedG.current = timeStamp;
      },
    },
    { keys: 'Alt+PageUp', label: 'mês anterior', run: () => go({ month: addMonths(place.month, -1) }) },
    { keys: 'Alt+PageDown', label: 'mês seguinte', run: () => go({ month: addMonths(place.month, 1) }) },
    { keys: 'Alt+ArrowUp', label: 'filial anterior', run: () => toBranch(-1) },
    { keys: 'Alt+ArrowDown', label: 'filial seguinte', run: () => toBranch(1) },
    { keys: '/', label: 'filtra', run: focusFilter },
    { keys: 'Escape', label: 'volta, à mesma linha', run: () => goBack(router) },
    { keys: '?', label: 'todos os atalhos', run: () => setIsListShown(true) },
  ];
  useKeys(bindings, 'shell');
  return isListShown ? <AllKeys onClose={() => setIsListShown(false)} /> : null;
}

/** A screen's filter is the field with type="search". */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('main input[type=search]');
  filter?.focus();
  filter?.select();
  return filter !== null;
}

/** One entry back, as long as that is a place of the console. */
function goBack(router: ReturnType<typeof useRouter>): boolean {
  if (!router.history.canGoBack()) return false;
  router.history.back();
  return true;
}
