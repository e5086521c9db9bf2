import { classes } from './classes.ts';

// Drawn on 24 by 24 in lines of 1.75, as the one family that the console has.
const PATHS = {
  home: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9M10 19v-5h4v5',
  entries: 'M4 6h16M4 11h16M4 16h8M15 17h6M18 14v6',
  import: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14',
  closing: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  balance: 'M5 20V10M10 20V5M15 20v-8M20 20V8M3 20h19',
  ledger: 'M6 4h12v16H6zM9 8.5h6M9 12h6M9 15.5h3',
  reports: 'M7 4h7l4 4v12H7zM14 4v4h4M9.5 12.5h6M9.5 16h6',
  statements: 'M4 5h7v14H4zM13 5h7v14h-7zM6.5 9h2M6.5 12h2M15.5 9h2M15.5 12h2',
  filings: 'M21 3.5 3 10.5l6.5 3.5L13 20.5zM9.5 14 21 3.5',
  quotas: 'M12 4a8 8 0 1 0 8 8h-8zM15 4.6A8 8 0 0 1 19.4 9H15z',
  rules: 'M9 4H8a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1M15 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1',
  chart: 'M6 4v16M6 8h4M6 13h4M6 18h4M13 8h7M13 13h7M13 18h7',
  records: 'M4 6h16v13H4zM4 10.5h16M8.5 14.5h3',
  users:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3.5 19.5a5.5 5.5 0 0 1 11 0M15.5 4.9a3.2 3.2 0 0 1 0 5.8M17 14.3a5.5 5.5 0 0 1 3.5 5.2',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  audit: 'M12 20a8 8 0 1 0-8-8M12 8v4.5l3 2M4 6.5V12h5',
  health: 'M3 12.5h4l2.5-6 4.5 11 2.5-5H21',
  left: 'M14.5 6 8.5 12l6 6',
  right: 'M9.5 6l6 6-6 6',
  down: 'M6 9.5l6 6 6-6',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M5 12.5 10 17.5 19.5 7',
  alert: 'M12 4 2.8 19.5h18.4zM12 10v4.5M12 17v.2',
  plus: 'M12 5v14M5 12h14',
  download: 'M12 4v11M7.5 11 12 15.5 16.5 11M5 19.5h14',
  upload: 'M12 19V8M7.5 12 12 7.5 16.5 12M5 4.5h14',
  print: 'M7 9V4h10v5M7 17H4v-8h16v8h-3M7 14h10v6H7z',
  play: 'M8 5.5v13l10-6.5z',
  undo: 'M8 6 4 10l4 4M4 10h10a5 5 0 0 1 0 10h-3',
  document: 'M7 4h7l4 4v12H7zM14 4v4h4',
  folder: 'M3.5 6h6l2 2.5h9v10h-17z',
  filter: 'M4 5h16l-6.5 8v6l-3-1.5V13z',
  edit: 'M5 19h3.5L19 8.5 15.5 5 5 15.5zM13.5 7l3.5 3.5',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 7.5V12l3 2',
  seal: 'M12 14.5a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM9 13.5 8 20l4-2 4 2-1-6.5',
  exit: 'M10 5H5v14h5M14 8l4 4-4 4M9 12h9',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
} as const;

export type IconName = keyof typeof PATHS;

/** Beside words; where it stands alone its button has an aria-label. */
export function Icon({ name, className }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg className={classes('icon', className)} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
