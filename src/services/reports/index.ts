import type { Route } from '../wire/route.ts';
import {
  bookTermsRoute,
  cosifGeneralBalanceRoute,
  dailyTrialBalanceRoute,
  journalRoute,
  ledgerBookRoute,
  monthlyTrialBalanceRoute,
  monthlyTrialCvmBalanceRoute,
  patrimonialBalanceRoute,
  patrimonialCvmBalanceRoute,
  postingListingRoute,
} from './reports.routes.ts';

/** Every route of the service, in the specification's order. */
export const reportsRoutes: readonly Route[] = [
  postingListingRoute,
  cosifGeneralBalanceRoute,
  monthlyTrialBalanceRoute,
  monthlyTrialCvmBalanceRoute,
  dailyTrialBalanceRoute,
  patrimonialBalanceRoute,
  patrimonialCvmBalanceRoute,
  ledgerBookRoute,
  journalRoute,
  bookTermsRoute,
];
