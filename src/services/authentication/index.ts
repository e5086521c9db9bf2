import type { Route } from '../../http/route.ts';
import { accessMatrixRoute } from './access-matrix.routes.ts';
import { auditRoute, branchAuditRoute } from './audit.routes.ts';
import { containerLogsRoute } from './container-logs.routes.ts';
import {
  addSecretRoute,
  createServiceAccountRoute,
  deactivateServiceAccountRoute,
  listServiceAccountsRoute,
  readServiceAccountRoute,
  removeSecretRoute,
  updateServiceAccountRoute,
} from './service-accounts.routes.ts';
import {
  enrolSecondFactorRoute,
  externalLoginRoute,
  keySetRoute,
  metadataRoute,
  removedSignInRoute,
  signInRoute,
} from './signin.routes.ts';
import { tokenRoute } from './token.routes.ts';
import {
  createUserRoute,
  deactivateUserRoute,
  listUsersRoute,
  ownPasswordRoute,
  ownUserRoute,
  readUserRoute,
  resetSecondFactorRoute,
  setPasswordRoute,
  setPermissionsRoute,
  signOutEverywhereRoute,
  signUserOutRoute,
  updateUserRoute,
} from './users.routes.ts';

/** Every route of the service, in the specification's order; the platform's additions after them. */
export const authenticationRoutes: readonly Route[] = [
  signInRoute,
  externalLoginRoute,
  removedSignInRoute,
  containerLogsRoute,
  keySetRoute,
  metadataRoute,
  enrolSecondFactorRoute,
  ownUserRoute,
  ownPasswordRoute,
  signOutEverywhereRoute,
  listUsersRoute,
  createUserRoute,
  readUserRoute,
  updateUserRoute,
  deactivateUserRoute,
  setPasswordRoute,
  setPermissionsRoute,
  signUserOutRoute,
  resetSecondFactorRoute,
  auditRoute,
  branchAuditRoute,
  accessMatrixRoute,
  tokenRoute,
  listServiceAccountsRoute,
  createServiceAccountRoute,
  readServiceAccountRoute,
  updateServiceAccountRoute,
  deactivateServiceAccountRoute,
  addSecretRoute,
  removeSecretRoute,
];
