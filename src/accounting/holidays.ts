import { addDays, type Day, dayOf, weekdayOf } from './period.ts';

export interface Holiday {
  readonly day: Day;
  readonly name: string;
}

/** A day of the national calendar. */
export interface NationalDay {
  readonly day: Day;
  readonly businessDay: boolean;
  readonly holidayName: string | null;
}

/**
 * The days, in order, on which the financial system does not work in all of Brazil. National holidays: Lei 662/1949 as
 * changed by Lei 10.607/2002, Lei 6.802/1980 (12 October), Lei 14.759/2023 (20 November, since 2024), and Good Friday,
 * kept everywhere under Lei 9.093/1995. Financial: Resolução CMN 4.880/2020 adds Carnival Monday and Tuesday and Corpus
 * Christi. Local holidays and the year's last banking day without public service are not here.
 */
export function nationalHolidays(year: number): Holiday[] {
  const fixed = FIXED.filter(({ since }) => year >= since).map(({ date: [month, day], name }) => ({
    day: dayOf(year, month, day)!,
    name,
  }));
  const easter = easterOf(year);
  const movable = MOVABLE.map(({ afterEaster, name }) => ({ day: addDays(easter, afterEaster), name }));
  return [...fixed, ...movable].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Easter Sunday of the Gregorian calendar (the algorithm of Meeus, Jones and Butcher). */
export function easterOf(year: number): Day {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const yearOfCentury = year % 100;
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - moonCorrection + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7;
  const lateMoon = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return addDays(dayOf(year, 3, 22)!, epact + toSunday - 7 * lateMoon);
}

/** The day in the national calendar: no business on weekends and holidays. */
export function nationalDay(day: Day): NationalDay {
  const holiday = nationalHolidays(Number(day.slice(0, 4))).find((each) => each.day === day);
  const weekday = weekdayOf(day);
  return {
    day,
    businessDay: holiday === undefined && weekday !== SUNDAY && weekday !== SATURDAY,
    holidayName: holiday?.name ?? null,
  };
}

const SUNDAY = 0;
const SATURDAY = 6;

const FIXED = [
  { date: [1, 1], name: 'Confraternização Universal', since: 0 },
  { date: [4, 21], name: 'Tiradentes', since: 0 },
  { date: [5, 1], name: 'Dia do Trabalho', since: 0 },
  { date: [9, 7], name: 'Independência do Brasil', since: 0 },
  { date: [10, 12], name: 'Nossa Senhora Aparecida', since: 1980 },
  { date: [11, 2], name: 'Finados', since: 0 },
  { date: [11, 15], name: 'Proclamação da República', since: 0 },
  { date: [11, 20], name: 'Dia Nacional de Zumbi e da Consciência Negra', since: 2024 },
  { date: [12, 25], name: 'Natal', since: 0 },
] as const;

const MOVABLE = [
  { afterEaster: -48, name: 'Carnaval (segunda-feira)' },
  { afterEaster: -47, name: 'Carnaval (terça-feira)' },
  { afterEaster: -2, name: 'Sexta-feira da Paixão' },
  { afterEaster: 60, name: 'Corpus Christi' },
] as const;
