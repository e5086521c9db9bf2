/** A small fault: `from` is once in the file and becomes `to`. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The test that must fail; the model when absent. */
  readonly by?: string;
}

export const MODEL = 'test/property/movements-model.test.ts';
export const RACE = 'test/faults/race.test.ts';

const BALANCE_RULES = 'src/features/closing/balances/balance-rules.sql.ts';
const BALANCES = 'src/features/closing/balances/balances.read.sql.ts';
const BATCHES = 'src/features/posting/batches/batches.sql.ts';
const ENTRIES = 'src/features/posting/entries/entries.sql.ts';
const MONTHS = 'src/features/posting/months/months.sql.ts';
const MONTHS_READ = 'src/features/posting/months/months.read.sql.ts';
const RULES = 'src/accounting/posting.ts';
const SCHEMA = 'migrations/0004-posting.sql';
const STAGING = 'src/features/posting/imports/staging.sql.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'posting: closed days take entries',
    file: RULES,
    from: '|| !facts.isDayClosed(day)) return undefined;',
    to: "|| !facts.isDayClosed(day) || facts.monthState === 'OPEN') return undefined;",
  },
  {
    name: 'posting: the day after the closed one is closed',
    file: ENTRIES,
    from: 'AND calendar_day.day IN (',
    to: 'AND calendar_day.day + 1 IN (',
  },
  {
    name: 'posting: closed months take entries',
    file: RULES,
    from: "if (state === 'OPEN') return undefined;",
    to: "if (state !== 'NOT_OPENED') return undefined;",
  },
  {
    name: 'posting: both lines on the same side of a credit entry',
    file: 'src/accounting/entry.ts',
    from: 'side: otherSide(line.side),',
    to: "side: 'C',",
  },
  {
    name: 'posting: the next number is that after the lowest',
    file: ENTRIES,
    from: 'ORDER BY natural_sort_key(entry_line.entry_number) DESC LIMIT 1',
    to: 'ORDER BY natural_sort_key(entry_line.entry_number) LIMIT 1',
  },
  {
    name: 'posting: does not lock the month',
    file: ENTRIES,
    from: 'FOR SHARE OF month ',
    to: 'FOR KEY SHARE OF document ',
    by: RACE,
  },
  {
    name: 'months: nobody waits for writers',
    file: MONTHS,
    from: "lockMonth(sql, key, 'UPDATE')",
    to: "lockMonth(sql, key, 'SHARE')",
    by: RACE,
  },
  {
    name: 'deleting: does not lock the month',
    file: 'src/features/posting/batches/delete-movements.ts',
    from: 'requireOpen(await lockMonthShared(sql, key), key.month)',
    to: 'void key',
  },
  {
    name: 'deleting: a batch goes in spite of its closed days',
    file: BATCHES,
    from: 'AND calendar_day.closed\n',
    to: "AND calendar_day.closed AND calendar_day.day < date_trunc('month', calendar_day.day)\n",
  },
  {
    name: 'deleting: compound entries keep their third line',
    file: ENTRIES,
    from: '= natural_sort_key(gone.number)\n',
    to: '= natural_sort_key(gone.number) AND entry_line.sequence < 3\n',
  },
  {
    name: 'deleting: only the first of several entries goes',
    file: 'src/http/movements/entries.routes.ts',
    from: 'await deleteEntries(context, body.ids)',
    to: 'await deleteEntries(context, body.ids.slice(0, 1))',
  },
  {
    name: 'deleting: the lines of a document stay behind',
    file: BATCHES,
    from: 'AND entry_line.document_id = ANY (',
    to: 'AND entry_line.amount > 1000 AND entry_line.document_id = ANY (',
  },
  {
    name: 'importing: rounds to tens of centavos',
    file: STAGING,
    from: 'line.offset_account_id, line.side, import_line.amount, import_line.narration,',
    to: 'line.offset_account_id, line.side, greatest(round(import_line.amount, 1), 0.1), import_line.narration,',
  },
  {
    name: 'importing: days that close while the file is read take entries',
    file: 'src/features/posting/imports/import-movements.ts',
    from: "if (JSON.stringify(now) !== JSON.stringify(rules)) throw new ReadAgain('BOOKS_CHANGED');",
    to: '',
  },
  {
    name: 'posting: unbalanced entries pass when none has an offset account',
    file: RULES,
    from: "return isPaired ? 'PAIRS' : undefined;",
    to: "return 'PAIRS';",
  },
  {
    name: 'month close: forgets the balances of the month before',
    file: BALANCE_RULES,
    from: "account.id = monthly_balance.account_id AND account.account_type = 'A'",
    to: "account.id = monthly_balance.account_id AND account.account_type = 'A' AND monthly_balance.balance < -1000000000000",
  },
  {
    name: 'month close: the sides of closing entries are swapped',
    file: BALANCE_RULES,
    from: "entry_line.side = 'D' AND entry_line.closing",
    to: "entry_line.side = 'C' AND entry_line.closing",
  },
  {
    name: 'month close: closing lines count as movement, too',
    file: BALANCE_RULES,
    from: "entry_line.side = 'D' AND NOT entry_line.closing",
    to: "entry_line.side = 'D'",
  },
  {
    name: 'month close: summary accounts get no movement',
    file: BALANCE_RULES,
    from: 'unnest(account.ancestors || account.id) AS node (id)',
    to: 'unnest(ARRAY[account.id]) AS node (id)',
  },
  {
    name: 'month close: months out of their order',
    file: 'src/features/closing/checklist/close-conditions.ts',
    from: 'month !== baseline.baseMonth && baseline.closed !== previous',
    to: 'month !== baseline.baseMonth && baseline.closed === month',
  },
  {
    name: 'month close: sees the lines of other branches',
    file: BALANCES,
    from: `   WHERE \${rowsOf('entry_line', branches)}\n     AND entry_line.month = `,
    to: `   WHERE entry_line.company_id = \${branches.companyId}\n     AND entry_line.month = `,
  },
  {
    name: 'closing entries: profit and loss change places',
    file: 'src/accounting/closing-entries.ts',
    from: 'net < 0n ? settings.profitAccountId : settings.lossAccountId',
    to: 'net > 0n ? settings.profitAccountId : settings.lossAccountId',
  },
  {
    name: 'closing entries: forgets what earlier months left on the accounts',
    file: 'src/features/closing/balances/balance-rules.sql.ts',
    from: `AND monthly_balance.month = \${closed}\`;`,
    to: `AND monthly_balance.month = \${closed} AND monthly_balance.balance < -1000000000000\`;`,
  },
  {
    name: 'open months: the last day does not count',
    file: 'src/features/closing/balances/balance-rules.sql.ts',
    from: '\n             WHERE NOT month.summed',
    to: "\n             WHERE entry_line.day < entry_line.month + interval '1 month - 1 day' AND NOT month.summed",
  },
  {
    name: 'open months: the inquiry forgets the months between',
    file: 'src/features/closing/balances/read-balances.ts',
    from: 'balance = balanceOf(ofMonth);',
    to: 'balance = ofMonth.opening;',
  },
  {
    name: 'reopening: closed balances stay',
    file: MONTHS,
    from: "['monthly_balance', 'daily_balance']",
    to: "['daily_balance']",
  },
  {
    name: 'reopening: closing entries stay',
    file: MONTHS,
    from: 'AND entry_line.closing\n',
    to: 'AND entry_line.closing AND entry_line.amount < 0\n',
  },
  {
    name: 'reopening: archived months as well',
    file: 'src/features/posting/months/open-month.ts',
    from: 'if (row.archived) reject(',
    to: 'if (row.archived && row.companyId < 0) reject(',
  },
  {
    name: 'closing days: weekends before stay open',
    file: MONTHS,
    from: ' OR NOT calendar_day.business_day)',
    to: ')',
  },
  {
    name: 'closing days: a business day is passed over',
    file: MONTHS_READ,
    from: 'ORDER BY calendar_day.day LIMIT 1',
    to: 'ORDER BY calendar_day.day OFFSET 1 LIMIT 1',
  },
  {
    name: 'archiving: closing lines are lost',
    file: SCHEMA,
    from: "    EXECUTE format('DELETE FROM public.%I WHERE %s', origin, chosen)",
    to: "    IF into_archive AND kept = 'entry_line' THEN\n      DELETE FROM entry_line_archive WHERE entry_line_archive.closing;\n    END IF;\n    EXECUTE format('DELETE FROM public.%I WHERE %s', origin, chosen)",
  },
  {
    name: 'archiving: narrations are forgotten',
    file: SCHEMA,
    from: 'target, columns, columns, origin, chosen)',
    to: "target, columns, replace(columns, ', narration,', ', NULL,'), origin, chosen)",
  },
  {
    name: 'archiving: only the month named',
    file: 'src/features/posting/archive/archive.sql.ts',
    from: "which === 'UP_TO' ? SQL`<=`",
    to: "which === 'UP_TO' ? SQL`=`",
  },
  {
    name: 'archiving: open months as well',
    file: 'src/features/posting/archive/archive-movements.ts',
    from: "if (wrong !== undefined) reject('PURGE_MONTH_OPEN'",
    to: "if (wrong === 'none') reject('PURGE_MONTH_OPEN'",
  },
  {
    name: 'restoring: lines lose their closing mark',
    file: SCHEMA,
    from: "origin := CASE WHEN into_archive THEN kept ELSE kept || '_archive' END;",
    to: "origin := CASE WHEN into_archive THEN kept ELSE kept || '_archive' END;\n    IF NOT into_archive AND kept = 'entry_line' THEN\n      UPDATE entry_line_archive SET closing = false WHERE entry_line_archive.closing;\n    END IF;",
  },
  {
    name: 'restoring: batches lose their closing mark',
    file: SCHEMA,
    from: "target := CASE WHEN into_archive THEN kept || '_archive' ELSE kept END;",
    to: "target := CASE WHEN into_archive THEN kept || '_archive' ELSE kept END;\n    IF NOT into_archive AND kept = 'batch' THEN\n      UPDATE batch_archive SET closing = false WHERE batch_archive.closing;\n    END IF;",
  },
  {
    name: 'restoring: the month stays marked as archived',
    file: SCHEMA,
    from: 'UPDATE month SET archived = into_archive',
    to: 'UPDATE month SET archived = into_archive OR cardinality(months) = 1',
  },
  {
    name: 'database: amounts keep one decimal',
    file: SCHEMA,
    from: 'amount numeric(18,2) NOT NULL CHECK (amount > 0)',
    to: 'amount numeric(18,1) NOT NULL',
  },
  {
    name: 'database: the archive keeps only first lines',
    file: SCHEMA,
    from: 'CREATE INDEX entry_line_archive_month',
    to: 'CREATE RULE half AS ON INSERT TO entry_line_archive WHERE NEW.sequence > 1 DO INSTEAD NOTHING;\nCREATE INDEX entry_line_archive_month',
  },
];
