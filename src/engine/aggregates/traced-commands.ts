import type { NewSpan, Span, Tracing } from '../observe/tracing.ts';
import { Refused, type Aggregate } from './aggregate.ts';
import { streamOf } from '../log/streams.ts';

/** The same aggregate, with a span per command. @param category The category of its streams. */
export const tracedCommands = <Command, View, Traced extends Aggregate<Command, View>>(
  tracing: Tracing,
  category: string,
  aggregate: Traced & Aggregate<Command, View>,
): Traced => {
  if (!tracing.isOn) return aggregate;
  const give: Aggregate<Command, View>['give'] = async (id, given, occasion) => {
    const span = tracing.child(() => commandSpan(category, id, given.commandId));
    const carryOut = () => aggregate.give(id, given, occasion);
    return span ? traced(span, carryOut) : carryOut();
  };
  return { ...aggregate, give };
};

const commandSpan = (category: string, id: string, commandId: string): NewSpan => ({
  name: `command ${category}`,
  kind: 'internal',
  attributes: { 'atrium.stream': streamOf(category, id), 'atrium.command.id': commandId },
});

/** A refusal is an outcome of a command, not a failure. */
const traced = async <Answered extends { readonly replayed: boolean }>(
  span: Span,
  carryOut: () => Promise<Answered>,
): Promise<Answered> => {
  try {
    const answer = await span.run(carryOut);
    span.set({ 'atrium.command.replayed': answer.replayed });
    span.end();
    return answer;
  } catch (error) {
    const isRefused = error instanceof Refused;
    if (isRefused) span.set({ 'atrium.refused': error.refusal.refused });
    span.end(isRefused ? undefined : error);
    throw error;
  }
};
