import { useState } from 'react';
import { api } from '../../data/client.ts';
import { useMonthsChanged } from '../../data/months-changed.ts';
import { usePlace } from '../../data/place.ts';
import { AccountField } from '../../ui/account-field.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { problemsOf } from '../../ui/field.tsx';
import { messageOf } from '../../ui/states.tsx';
import { CheckField, SelectField, TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { decimalFromTyped, decimalText } from './quota-text.ts';
import type { QuotaConfiguration } from './quotas-data.ts';

interface ConfigurationDialogProps {
  readonly configuration: QuotaConfiguration | null;
  readonly onClose: () => void;
}

const DECIMALS = Array.from({ length: 13 }, (_, at) => ({ value: String(at), text: String(at) }));
const ROUNDINGS = [
  { value: 'TRUNC', text: 'trunca' },
  { value: 'HALF_UP', text: 'arredonda, meio para cima' },
  { value: 'HALF_EVEN', text: 'arredonda, meio para o par' },
] as const;
type Rounding = (typeof ROUNDINGS)[number]['value'];

/** How the quota of the branch is calculated. */
export function ConfigurationDialog({ configuration, onClose }: ConfigurationDialogProps) {
  const { company, branch } = usePlace();
  const changed = useMonthsChanged();
  const [equity, setEquity] = useState(configuration?.netEquityAccountId);
  const [includesResult, setIncludesResult] = useState(configuration?.includeOpenResult ?? false);
  const [quotas, setQuotas] = useState(
    configuration?.numberOfQuotas == null ? '' : decimalText(configuration.numberOfQuotas),
  );
  const [quantity, setQuantity] = useState(configuration?.quotaQuantityAccountId ?? undefined);
  const [decimals, setDecimals] = useState(String(configuration?.quotaDecimals ?? 8));
  const [rounding, setRounding] = useState<Rounding>(configuration?.roundingMode ?? 'TRUNC');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const numberOfQuotas = decimalFromTyped(quotas);
  const isUnread = quotas.trim() !== '' && numberOfQuotas === undefined;
  const problems = problemsOf(error);
  const save = async () => {
    if (isBusy || isUnread || equity === undefined) return;
    setIsBusy(true);
    setError(undefined);
    try {
      await api.masterdata.saveQuotaConfiguration({
        body: {
          company,
          branch,
          netEquityAccountId: equity,
          includeOpenResult: includesResult,
          numberOfQuotas: numberOfQuotas ?? null,
          quotaQuantityAccountId: quantity ?? null,
          quotaDecimals: Number(decimals),
          roundingMode: rounding,
          quantityDecimals: configuration?.quantityDecimals ?? 8,
          redemptionDays: configuration?.redemptionDays ?? 0,
          subscriptionTemplate: configuration?.subscriptionTemplate ?? null,
          redemptionTemplate: configuration?.redemptionTemplate ?? null,
          comeCotasTemplate: configuration?.comeCotasTemplate ?? null,
          amortizationTemplate: configuration?.amortizationTemplate ?? null,
        },
      });
      await changed();
      toast('Configuração de cotas gravada');
      onClose();
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      title={`Cotas da filial ${branch}`}
      onClose={onClose}
      onSubmit={save}
      actions={
        <>
          <Button onClick={onClose}>Cancelar</Button>
          <Button type="submit" kind="primary" busy={isBusy} disabled={isUnread || equity === undefined}>
            Gravar
          </Button>
        </>
      }
    >
      <AccountField
        label="Conta do patrimônio líquido"
        value={equity}
        onChange={setEquity}
        problem={problems.netEquityAccountId}
      />
      <CheckField label="Soma o resultado em aberto" value={includesResult} onChange={setIncludesResult} />
      <TextField
        label="Número de cotas, de hoje em diante"
        value={quotas}
        onChange={setQuotas}
        inputMode="decimal"
        hint="Vazio, se uma conta guarda a quantidade."
        problem={isUnread ? 'Escreva um número como 810.000,12345678.' : problems.numberOfQuotas}
      />
      <AccountField
        label="Conta da quantidade de cotas"
        value={quantity}
        onChange={setQuantity}
        problem={problems.quotaQuantityAccountId}
      />
      <SelectField label="Casas decimais" choices={DECIMALS} value={decimals} onChange={setDecimals} />
      <SelectField label="Arredondamento" choices={ROUNDINGS} value={rounding} onChange={setRounding} />
      {error !== undefined && Object.keys(problems).length === 0 && (
        <p className="field-problem" role="alert">
          {messageOf(error)}
        </p>
      )}
    </Dialog>
  );
}
