import type { ElevationReason } from '../../platform/context.ts';

function elevationReason(reason: string): ElevationReason {
  return reason as ElevationReason;
}

/**
 * Every reason for which a use case works past its caller's scope. Who may import this list is a dependency rule
 * (only-listed-use-cases-are-elevated).
 */
export const ELEVATION = {
  signIn: elevationReason('nobody is signed in yet: users and their credentials belong to no company'),
  signInTrail: elevationReason('failures are counted and recorded for users who have no scope yet'),
  publishedKeys: elevationReason('the keys of access tokens belong to no company'),
  userRights: elevationReason('who grants or changes rights is checked against every company'),
  newCompany: elevationReason(
    'no scope contains a company before it exists, and its code must be free among all companies',
  ),
  sharedChart: elevationReason('a chart is shared: its accounts are used by companies that the caller does not see'),
  sharedNarration: elevationReason("a narration of everybody's is used by companies that the caller does not see"),
  unknownBranch: elevationReason('an unknown branch code is told apart from one without permission'),
  branchRange: elevationReason('a foreign branch inside a range of ids is reported, not skipped'),
  events: elevationReason('events get their places in one order of all companies'),
  approval: elevationReason('whether requester and approver still may is read of the users themselves'),
  jobShares: elevationReason("a user's jobs are counted in all companies"),
} as const;
