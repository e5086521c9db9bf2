import { useQuery } from '@tanstack/react-query';
import { type Day, dayNumberOf, type Month, monthNumberOf, weekdayOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { daysMark } from '../../data/month-steps.ts';
import type { BranchOverview } from '../../data/months.ts';
import { usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';
import { useMay } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { dayText, monthTitle } from '../../ui/format.ts';
import { Result } from '../../ui/states.tsx';
import type { useCloseDay, useReopenDay } from './closing-actions.ts';
import { Step } from './step.tsx';

interface DaysStepProps {
  readonly overview: BranchOverview;
  readonly closeDay: ReturnType<typeof useCloseDay>;
  readonly reopenDay: ReturnType<typeof useReopenDay>;
}

/** The calendar of the month; the current day is closed here. */
export function DaysStep({ overview, closeDay, reopenDay }: DaysStepProps) {
  const { company, month } = usePlace();
  const mayClose = useMay('CALENDAR_CLOSE');
  const { branch, state, businessDays, closedBusinessDays, currentDay } = overview;
  const isOpened = state !== 'NOT_OPENED';
  const days = useQuery({
    queryKey: [MONTHS_KEY, company, 'days', branch, month],
    enabled: isOpened,
    queryFn: ({ signal }) =>
      api.masterdata.listCalendarDays(
        { path: { company, branch, month: monthNumberOf(month), year: yearOf(month) } },
        { signal },
      ),
  });
  const lastClosed = days.data?.findLast(({ businessDay, status }) => businessDay && status === 'F')?.date as
    | Day
    | undefined;
  const { tone } = daysMark(overview);
  return (
    <Step title="Dias fechados" tone={tone} state={tone === 'done' ? 'feito' : 'a fazer'}>
      {isOpened && (
        <>
          <p>
            {closedBusinessDays} de {businessDays} dias úteis
          </p>
          <Result query={days} rows={3}>
            {(rows) => <Calendar month={month} days={rows} currentDay={currentDay} />}
          </Result>
          {state === 'OPEN' && mayClose && (
            <div className="step-actions">
              {currentDay !== null && (
                <Button
                  busy={closeDay.isPending}
                  onClick={() => closeDay.mutate({ branch, day: currentDay as Day })}
                >{`Fechar o dia ${dayNumberOf(currentDay as Day)}`}</Button>
              )}
              {lastClosed !== undefined && (
                <Button
                  kind="quiet"
                  busy={reopenDay.isPending}
                  onClick={() => reopenDay.mutate({ branch, day: lastClosed })}
                >{`Reabrir o dia ${dayNumberOf(lastClosed)}`}</Button>
              )}
            </div>
          )}
        </>
      )}
    </Step>
  );
}

const WEEKDAYS = ['domingo', 'segunda', 'terça', 'quarta', 'quinta', 'sexta', 'sábado'] as const;

interface CalendarDay {
  readonly date: string;
  readonly businessDay: boolean;
  readonly holidayName: string | null;
  readonly status: 'A' | 'F';
  readonly hasEntries: boolean;
}

interface CalendarProps {
  readonly month: Month;
  readonly days: readonly CalendarDay[];
  readonly currentDay: string | null;
}

function Calendar({ month, days, currentDay }: CalendarProps) {
  const first = days[0];
  return (
    <div className="days">
      {WEEKDAYS.map((weekday) => (
        <span key={weekday} className="days-weekday" aria-hidden="true">
          {weekday.slice(0, 1)}
        </span>
      ))}
      <ul className="days-list" aria-label={`Dias de ${monthTitle(month)}`}>
        {days.map((day) => (
          <li
            key={day.date}
            className={classes(
              'day',
              day.businessDay ? 'day-business' : 'day-rest',
              day.status === 'F' && 'day-closed',
              day.date === currentDay && 'day-current',
            )}
            style={day === first ? { gridColumnStart: weekdayOf(day.date as Day) + 1 } : undefined}
            title={wordsOf(day, currentDay)}
          >
            <span aria-hidden="true">{dayNumberOf(day.date as Day)}</span>
            <span className="visually-hidden">{wordsOf(day, currentDay)}</span>
            {day.hasEntries && <span className="day-dot" aria-hidden="true" />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function wordsOf(
  { date, businessDay, holidayName, status, hasEntries }: CalendarDay,
  currentDay: string | null,
): string {
  return [
    `${dayText(date)}, ${WEEKDAYS[weekdayOf(date as Day)]}`,
    holidayName ?? (businessDay ? undefined : 'dia não útil'),
    status === 'F' ? 'fechado' : date === currentDay ? 'dia corrente' : 'aberto',
    hasEntries ? 'com lançamentos' : undefined,
  ]
    .filter((word) => word !== undefined)
    .join(', ');
}
