import type { ComponentType } from 'react';
import type { IconName } from './ui/icon.tsx';

/** A screen as the rail, the keys and the search name it. */
export interface ScreenEntry {
  /** Last part of its address. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** Lines in the rail part the groups. */
  readonly group: 1 | 2 | 3;
  /** Its folder: screens/<file>/<file>-screen.tsx, which exports one component. */
  readonly file: string;
  /** Whoever may not use this routine does not see the screen. */
  readonly routine?: string;
  /** Administrators alone see it. */
  readonly adminOnly?: boolean;
}

/** All screens in the order of the rail; one whose file does not exist is left out. */
const ENTRIES: readonly ScreenEntry[] = [
  { path: 'inicio', title: 'Início', icon: 'home', group: 1, file: 'home' },
  { path: 'lancamentos', title: 'Lançamentos', icon: 'entries', group: 1, file: 'entries' },
  { path: 'importar', title: 'Importar', icon: 'import', group: 1, file: 'import' },
  { path: 'fechamento', title: 'Fechamento', icon: 'closing', group: 1, file: 'closing' },
  { path: 'balancete', title: 'Balancete', icon: 'balance', group: 2, file: 'trial-balance' },
  { path: 'razao', title: 'Razão', icon: 'ledger', group: 2, file: 'ledger' },
  { path: 'relatorios', title: 'Relatórios', icon: 'reports', group: 2, file: 'reports' },
  { path: 'demonstracoes', title: 'Demonstrações', icon: 'statements', group: 2, file: 'statements' },
  { path: 'cotas', title: 'Cotas', icon: 'quotas', group: 2, file: 'quotas' },
  { path: 'regras', title: 'Regras', icon: 'rules', group: 2, file: 'rules' },
  { path: 'obrigacoes', title: 'Obrigações', icon: 'filings', group: 2, file: 'filings' },
  { path: 'plano', title: 'Plano de contas', icon: 'chart', group: 3, file: 'chart' },
  { path: 'cadastros', title: 'Cadastros', icon: 'records', group: 3, file: 'records' },
  { path: 'usuarios', title: 'Usuários e acessos', icon: 'users', group: 3, file: 'users', adminOnly: true },
  { path: 'auditoria', title: 'Auditoria', icon: 'audit', group: 3, file: 'audit' },
  { path: 'saude', title: 'Saúde', icon: 'health', group: 3, file: 'health', adminOnly: true },
];

type ScreenModule = Readonly<Record<string, ComponentType>>;
const FILES = import.meta.glob<ScreenModule>('./screens/*/*-screen.tsx');

export const SCREENS = ENTRIES.filter(({ file }) => loaderOf(file) !== undefined);

export function screenAt(path: string): ScreenEntry | undefined {
  return SCREENS.find((screen) => screen.path === path);
}

const LOADED = new Map<string, ComponentType>();

/** The component of a screen whose file is there already. */
export function loadedScreen(file: string): ComponentType | undefined {
  return LOADED.get(file);
}

/** Fetches the file of a screen; once it is there, loadedScreen has it. */
export async function loadScreen(file: string): Promise<void> {
  if (LOADED.has(file)) return;
  LOADED.set(file, Object.values(await loaderOf(file)!())[0]!);
}

function loaderOf(file: string): (() => Promise<ScreenModule>) | undefined {
  return FILES[`./screens/${file}/${file}-screen.tsx`];
}
