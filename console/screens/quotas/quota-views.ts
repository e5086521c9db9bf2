export const QUOTA_VIEWS = [
  { value: 'dias', text: 'Cotas diárias' },
  { value: 'mes', text: 'Cota do mês consolidado' },
  { value: 'taxas', text: 'Taxas do fundo' },
] as const;
