import { logConsumer } from '../bus/log/consumer.ts';
import { messageIdOf } from '../bus/log/messages.ts';
import { messageParking } from '../bus/log/parking.ts';
import { workOrderAfter, workOrderDecider } from '../domain/work-orders/work-order.ts';
import { workOrderIntake } from '../processes/work-orders/intake.ts';
import { workOrderLinking } from '../processes/work-orders/linking.ts';
import { aggregate } from '../engine/aggregates/aggregate.ts';
import { workOrderCodec } from '../domain/work-orders/codecs.ts';
import { tracedCommands } from '../engine/aggregates/traced-commands.ts';
import type { Capability } from '../composition/capability.ts';

/** Work orders of a facility-management system on tickets. contract.md section 5. */
export const workOrders: Capability = {
  streams: [{ category: 'workOrder', codec: workOrderCodec, kept: 'forever' }],
  processes: ['work-order-intake', 'work-order-linking'],

  compose(core) {
    const { log, tickets, desks, graph, clock, tracing } = core;
    const orders = tracedCommands(
      tracing,
      'workOrder',
      aggregate({
        log,
        category: 'workOrder',
        codec: workOrderCodec,
        decider: workOrderDecider,
        viewAfter: workOrderAfter,
        stateBytes: ({ characters }) => characters * 2,
      }),
    );
    const park = messageParking(core);
    return {
      processes: [
        logConsumer(workOrderIntake({ tickets, workOrders: orders, graph, clock }), core),
        workOrderLinking({
          tickets,
          park: (message, parked) =>
            park(
              { ...message, id: messageIdOf(message.subject.buildingId, message.eventId) },
              parked,
            ),
          desks,
        }),
      ],
    };
  },
};
