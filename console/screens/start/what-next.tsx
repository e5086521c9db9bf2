import { useNavigate } from '@tanstack/react-router';
import type { Month } from '../../../src/accounting/period.ts';
import { addressOf } from '../../data/place.ts';
import { readSession } from '../../data/session.ts';
import { screenAt } from '../../routes.tsx';
import { Button } from '../../ui/button.tsx';
import { BRANCH } from './start-books.ts';

const WAYS = [
  { screen: 'inicio', text: 'Ver o mês' },
  { screen: 'lancamentos', text: 'Lançar à mão' },
  { screen: 'importar', text: 'Importar um arquivo CSV' },
  { screen: 'balancete', text: 'Ver o balancete' },
];

/** Screens that the product has. */
export function WhatNext({ company, month }: { readonly company: string; readonly month: Month }) {
  const navigate = useNavigate();
  const goTo = async (screen: string) => {
    await readSession();
    await navigate({ href: addressOf({ company, branch: BRANCH, month, screen }) });
  };
  return (
    <div className="start-next">
      {WAYS.filter(({ screen }) => screenAt(screen) !== undefined).map(({ screen, text }, at) => (
        <Button key={screen} kind={at === 0 ? 'primary' : undefined} onClick={() => void goTo(screen)}>
          {text}
        </Button>
      ))}
    </div>
  );
}
