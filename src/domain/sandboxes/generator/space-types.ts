/** The rooms of each kind of building. */
import type { SandboxParameters } from '../parameters.ts';

export interface SpaceKind {
  readonly slug: string;
  /** Share of the spaces of a storey; the shares of one kind of building add up to about 1. */
  readonly share: number;
  readonly areaSqmMean: number;
  readonly isLeasable?: true;
  /** Heated, cooled and ventilated, and so with sensors. */
  readonly isConditioned?: true;
  /** Only on the ground floor. */
  readonly isGround?: true;
  /** People at full occupancy on 100 m². */
  readonly peoplePer100Sqm: number;
}

export const spaceKinds: Readonly<Record<SandboxParameters['buildingType'], readonly SpaceKind[]>> =
  {
    office: [
      room('open-office', 0.3, 90, { isLeasable: true, isConditioned: true, peoplePer100Sqm: 10 }),
      room('office', 0.24, 18, { isLeasable: true, isConditioned: true, peoplePer100Sqm: 8 }),
      room('meeting-room', 0.14, 22, { isConditioned: true, peoplePer100Sqm: 40 }),
      room('phone-booth', 0.05, 4, { peoplePer100Sqm: 25 }),
      room('kitchenette', 0.04, 14, { isConditioned: true, peoplePer100Sqm: 20 }),
      room('toilet', 0.06, 16, { peoplePer100Sqm: 10 }),
      room('corridor', 0.06, 60, { peoplePer100Sqm: 2 }),
      room('lobby', 0.02, 80, { isConditioned: true, isGround: true, peoplePer100Sqm: 8 }),
      room('server-room', 0.01, 20, { isConditioned: true }),
      room('technical', 0.04, 25),
      room('storage', 0.04, 10),
    ],
    mall: [
      room('retail-unit', 0.52, 120, {
        isLeasable: true,
        isConditioned: true,
        peoplePer100Sqm: 18,
      }),
      room('anchor-store', 0.04, 900, {
        isLeasable: true,
        isConditioned: true,
        peoplePer100Sqm: 15,
      }),
      room('food-unit', 0.09, 80, { isLeasable: true, isConditioned: true, peoplePer100Sqm: 35 }),
      room('food-court', 0.02, 500, { isConditioned: true, peoplePer100Sqm: 45 }),
      room('kiosk', 0.05, 12, { isLeasable: true, peoplePer100Sqm: 15 }),
      room('mall-corridor', 0.08, 350, { isConditioned: true, peoplePer100Sqm: 15 }),
      room('toilet', 0.04, 40, { peoplePer100Sqm: 10 }),
      room('storage', 0.07, 40, { isLeasable: true }),
      room('loading', 0.01, 150, { isGround: true }),
      room('technical', 0.05, 40),
      room('security-room', 0.03, 20, { isConditioned: true, isGround: true, peoplePer100Sqm: 10 }),
    ],
  };

function room(
  slug: string,
  share: number,
  areaSqmMean: number,
  more: Partial<SpaceKind> = {},
): SpaceKind {
  return { slug, share, areaSqmMean, peoplePer100Sqm: 0, ...more };
}

/** Share of the gross area that is in rooms. */
export const netOfGross: Readonly<Record<SandboxParameters['buildingType'], number>> = {
  office: 0.8,
  mall: 0.72,
};
