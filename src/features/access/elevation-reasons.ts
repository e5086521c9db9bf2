import type { ElevationReason } from '../../platform/context.ts';

function because(reason: string): ElevationReason {
  return reason as ElevationReason;
}

/**
 * Every reason for which a use case works past its caller's scope. Who may import this list is a dependency rule
 * (only-listed-use-cases-are-elevated).
 */
export const ELEVATION = {
  signIn: because('nobody is signed in yet: users and their credentials belong to no company'),
  signInTrail: because('failures are counted and recorded for users who have no scope yet'),
  publishedKeys: because('the keys of access tokens belong to no company'),
  userRights: because('who grants or changes rights is checked against every company'),
  newCompany: because('no scope contains a company before it exists, and its code must be free among all companies'),
  sharedChart: because('a chart is shared: its accounts are used by companies that the caller does not see'),
  sharedHistory: because("a history of everybody's is used by companies that the caller does not see"),
  unknownBranch: because('an unknown branch code is told apart from one without permission'),
  branchRange: because('a foreign branch inside a range of ids is reported, not skipped'),
  jobShares: because("a user's jobs are counted in all companies"),
} as const;
