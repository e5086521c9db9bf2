import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePlace } from '../../data/place.ts';
import { Button } from '../../ui/button.tsx';
import { ComboField } from '../../ui/combo-field.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { fold } from '../../ui/format.ts';
import { bodyOf, type FormRecord } from '../../ui/forms/form-value.ts';
import type { InputProps } from '../../ui/forms/schema-fields.tsx';
import { messageOf } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { saveRecord, schemaOf } from '../records/records-data.ts';
import { ACCOUNT_TYPE, type Account, placesFor } from './chart-data.ts';

interface ParentFieldProps extends InputProps {
  readonly accounts: readonly Account[];
  readonly moved: Account | undefined;
}

const MOST_FOUND = 30;

/** The account above: one of the chart that is changed, whatever chart the branch has. */
export function ParentField({ accounts, moved, label, problem, value, onChange }: ParentFieldProps) {
  const places = placesFor(accounts, moved);
  return (
    <ComboField<Account>
      label={label}
      problem={problem}
      hint="Vazio: pela forma do código."
      value={accounts.find(({ id }) => id === value)}
      onChange={(account) => onChange(account?.id)}
      find={(text) => placesWith(places, text)}
      keyOf={({ id }) => id}
      textOf={({ cdAccounting, description }) => `${cdAccounting} ${description}`}
      nothing="Nenhuma conta sintética com isto"
    />
  );
}

function placesWith(places: readonly Account[], text: string): readonly Account[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  return places
    .filter((each) => words.every((word) => fold(`${each.cdAccounting} ${each.description}`).includes(word)))
    .slice(0, MOST_FOUND);
}

/** Sends the account whole with some fields changed. */
function useChangeAccount() {
  const place = usePlace();
  const queries = useQueryClient();
  return async (account: Account, changes: FormRecord, done: string) => {
    const body = bodyOf(schemaOf(ACCOUNT_TYPE)!, { ...account, ...changes }) as FormRecord;
    await saveRecord(ACCOUNT_TYPE, { ...place, parent: undefined }, body, { row: account, at: 0 });
    await queries.invalidateQueries();
    toast(done);
  };
}

interface ChangeProps {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Puts an account, with all below it, under another one. */
export function MoveDialog({ account, accounts, onClose }: ChangeProps & { readonly accounts: readonly Account[] }) {
  const change = useChangeAccount();
  const [parent, setParent] = useState<Account>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const places = placesFor(accounts, account);
  const move = async () => {
    if (parent === undefined || busy) return;
    setBusy(true);
    try {
      await change(account, { parentId: parent.id }, `${account.cdAccounting} está abaixo de ${parent.cdAccounting}.`);
      onClose();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={`Mover ${account.cdAccounting}`}
      onClose={onClose}
      onSubmit={() => void move()}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={busy} disabled={parent === undefined}>
            Mover
          </Button>
        </>
      }
    >
      <p>
        {account.description}
        {account.childrenCount > 0 && ', com as contas abaixo dela'}
      </p>
      <ComboField<Account>
        label="Para baixo de"
        problem={error === undefined ? undefined : (problemsOf(error).parentId ?? messageOf(error))}
        value={parent}
        onChange={setParent}
        find={(text) => placesWith(places, text)}
        keyOf={({ id }) => id}
        textOf={({ cdAccounting, description }) => `${cdAccounting} ${description}`}
        nothing="Nenhuma conta sintética com isto"
      />
    </Dialog>
  );
}

/** A frozen account keeps its entries and takes no more. */
export function FreezeDialog({ account, onClose }: ChangeProps) {
  const change = useChangeAccount();
  const { cdAccounting, active, description } = account;
  return (
    <ConfirmDialog
      title={active ? `Congelar ${cdAccounting}?` : `Descongelar ${cdAccounting}?`}
      action={active ? 'Congelar' : 'Descongelar'}
      onConfirm={() =>
        change(
          account,
          { active: !active },
          active ? `${cdAccounting} congelada.` : `${cdAccounting} aceita lançamentos.`,
        )
      }
      onClose={onClose}
    >
      <p>{description}</p>
      <p>{active ? 'Os lançamentos que tem ficam; novos são recusados.' : 'Volta a aceitar lançamentos.'}</p>
    </ConfirmDialog>
  );
}
