#pragma once

int glow(int lantern);
