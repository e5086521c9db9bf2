import { z } from 'zod';
import {
  changeRoutine,
  changeRoutineAccess,
  createRoutine,
  createRoutineAccess,
  deleteRoutine,
  deleteRoutineAccess,
  ROUTINE,
  ROUTINE_ACCESS,
} from '../../features/access/routines.ts';
import { requireRecord, selectRecords } from '../../features/master-data/records/records.read.sql.ts';
import { pathId } from '../../http/fields.ts';
import { route } from '../../http/route.ts';
import { recordAnswer, recordToWire, resourceRoutes } from './record-routes.ts';

const tag = 'Routines';

export const routineRoutes = resourceRoutes(
  { definition: ROUTINE, tag, paths: { create: '/routine', item: '/routine/{id}' }, changedBy: 'admins' },
  {
    create: createRoutine,
    change: (context, key, input) => changeRoutine(context, key as number, input),
    remove: (context, key) => deleteRoutine(context, key as number),
  },
);

export const routineAccessRoutes = resourceRoutes(
  { definition: ROUTINE_ACCESS, tag, paths: { create: '/access', item: '/access/{id}' }, changedBy: 'admins' },
  {
    create: createRoutineAccess,
    change: (context, key, input) => changeRoutineAccess(context, key as number, input),
    remove: (context, key) => deleteRoutineAccess(context, key as number),
  },
);

export const getAccessOfRoutineRoute = route({
  operationId: 'listRoutineAccess',
  method: 'GET',
  // The routine's id. One path of a document has one name for a parameter: the others are of an access.
  path: '/access/{id}',
  summary: 'Who passes a routine (id is the routine’s)',
  tag,
  access: { to: 'signedIn' },
  params: z.object({ id: pathId }),
  answer: z.array(recordAnswer({ definition: ROUTINE_ACCESS })),
  handle: async ({ params, context }) => {
    await requireRecord(context.sql, ROUTINE, params.id);
    return (await selectRecords(context.sql, ROUTINE_ACCESS))
      .filter((row) => row.routineId === params.id)
      .map((row) => recordToWire(ROUTINE_ACCESS, row));
  },
});
