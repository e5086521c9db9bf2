import { findAccounts, pathAbove } from '../data/find-accounts.ts';
import { type ChartAccount, useChart } from '../data/queries.ts';
import { ComboField } from './combo-field.tsx';
import type { FieldProps } from './field.tsx';

interface AccountFieldProps extends FieldProps {
  /** Id of the account. */
  readonly value: number | undefined;
  readonly onChange: (id: number | undefined, account: ChartAccount | undefined) => void;
  /** Only accounts that take entries. */
  readonly onlyPosting?: boolean;
  readonly ref?: React.Ref<HTMLInputElement>;
  readonly onKeyDown?: React.KeyboardEventHandler<HTMLInputElement>;
  readonly onBlur?: React.FocusEventHandler<HTMLInputElement>;
  readonly onFocus?: React.FocusEventHandler<HTMLInputElement>;
  readonly disabled?: boolean;
}

/** An account of the branch's chart: by code, reduced code, or words of its whole path. */
export function AccountField({ value, onChange, onlyPosting = false, ...rest }: AccountFieldProps) {
  const { accounts = [], byId } = useChart();
  return (
    <ComboField
      {...rest}
      value={value === undefined ? undefined : byId(value)}
      onChange={(account) => onChange(account?.id, account)}
      find={(text) => findAccounts(accounts, text, { onlyPosting })}
      keyOf={({ id }) => id}
      textOf={({ code }) => code}
      draw={(account) => (
        <span className="account-choice">
          <span className="code">{account.code}</span>
          <span className="account-choice-reduced">{account.reduced}</span>
          <span className="account-choice-name">
            {account.name}
            <small>{pathAbove(account, byId)}</small>
          </span>
        </span>
      )}
      nothing="Nenhuma conta com isto"
    />
  );
}
